import { createHash } from 'node:crypto'
import type { EndpointPayment, HttpMethod, ListingOperation, ListingSnapshot } from '@callboard/contract'

/** The offer of one endpoint in one version of a listing; schemas by their hash. */
export interface OfferedOperation
  extends Pick<EndpointPayment, 'scheme' | 'network' | 'asset' | 'payTo' | 'maxTimeoutSeconds'> {
  readonly method: HttpMethod
  readonly url: string
  /** USD text. */
  readonly price: string
  readonly inputSchema?: string
  readonly outputSchema?: string
}

/** The payable offers of a snapshot. Undefined if it is not live: it then offers nothing to anyone. */
export function offered({
  status,
  operations,
}: Pick<ListingSnapshot, 'status' | 'operations'>): OfferedOperation[] | undefined {
  return status === 'live' ? operations.flatMap((operation) => offeredBy(operation) ?? []) : undefined
}

function offeredBy(operation: ListingOperation): OfferedOperation | undefined {
  const { method, url, price, payment, inputSchema, outputSchema } = operation
  if (price === null || !payment) return undefined
  const { scheme, network, asset, payTo, maxTimeoutSeconds } = payment
  return {
    ...{ method, url, price, scheme, network, asset, payTo },
    ...(maxTimeoutSeconds === undefined ? {} : { maxTimeoutSeconds }),
    ...(inputSchema ? { inputSchema: hashOf(inputSchema) } : {}),
    ...(outputSchema ? { outputSchema: hashOf(outputSchema) } : {}),
  }
}

const hashOf = (schema: Record<string, unknown>): string =>
  `sha256:${createHash('sha256')
    .update(JSON.stringify(inOrder(schema)))
    .digest('hex')}`

/** The same value regardless of the order of its members. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, inOrder(member)]),
  )
}
