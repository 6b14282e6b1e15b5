import { isObject } from '@callboard/x402'

type JsonObject = Record<string, unknown>

/** A paid route as crawlers want it told. */
export interface PaidRoute {
  readonly path: string
  readonly priceUsd: string
}

/**
 * The part of an OpenAPI document that is sold, with the price of each operation.
 * @source `x-payment-info` as x402scan and @agentcash/discovery read it
 */
export function crawlerDocument(document: JsonObject, { path, priceUsd }: PaidRoute): JsonObject {
  const paths = isObject(document.paths) ? document.paths : {}
  const item = paths[path]
  const priced = Object.entries(isObject(item) ? item : {}).map(([method, operation]) => [
    method,
    isObject(operation) ? { ...operation, 'x-payment-info': paymentInfo(priceUsd) } : operation,
  ])
  const { components: _, ...rest } = document
  return { ...rest, paths: { [path]: Object.fromEntries(priced) } }
}

const paymentInfo = (amount: string): JsonObject => ({
  price: { mode: 'fixed', currency: 'USD', amount },
  protocols: [{ x402: {} }],
})
