import { x402Facilitator } from '@callboard/contract'
import { PUBLIC_CHAINS } from '@callboard/evm'
import { refuse, unixSeconds } from '@callboard/values'
import { decodeHeader, encodeHeader, type SettledToken } from '@callboard/x402'
import { z } from 'zod'
import type { FacilitatorContext, FacilitatorHandler } from '../context.ts'
import { decodePayment, readStatement } from '../domain/decode/payment.ts'
import type { Statement } from '../domain/decode/statement.ts'
import { orNotNow } from '../settlement/or-unavailable.ts'
import { refusalOfSale } from '../settlement/purchase/refusal-of-sale.ts'
import { sell } from '../settlement/purchase/sell.ts'
import { waitMsOf } from '../settlement/purchase/wait.ts'
import { decodeOffer, decodeRequirements } from './offer.ts'

type Decode = typeof x402Facilitator.decode
type Input = Parameters<FacilitatorHandler<Decode>>[0]

const RESOURCE_PATH = x402Facilitator.decode.http?.path ?? '/'

export const decode: FacilitatorHandler<Decode> = async (input, ctx) => {
  const { payment, config } = ctx
  if (!payment) {
    const details = decodeOffer(ctx, new URL(RESOURCE_PATH, config.BASE_URL).href)
    return refuse('payment_required', { details })
  }
  const statement = statementOf(input, ctx)
  if (!statement) return unreadable(input)
  const sale = await orNotNow(
    sell(ctx, payment, {
      operation: x402Facilitator.decode.id,
      requestId: ctx.requestId,
      requirements: decodeRequirements(ctx),
      v1: config.DECODE_V1,
      waitMs: waitMsOf(ctx),
      work: () =>
        decodePayment(statement, {
          tokens: knownTokens(ctx),
          now: unixSeconds(ctx.clock.now()),
        }),
    }),
  )
  if ('refusal' in sale) return sale
  if (sale.kind !== 'granted') return refusalOfSale(sale, (error) => decodeOffer(ctx, payment.resourceUrl, error))
  return { result: { ...sale.result, findings: [...sale.result.findings] }, settlement: sale.settlement }
}

/** A payload is read as the header it would become, so that both forms have the same limits. */
function statementOf({ header, payload = {} }: Input, { resources }: FacilitatorContext): Statement | undefined {
  const read = decodeHeader(z.record(z.string(), z.unknown()), header ?? encodeHeader(payload))
  return read.ok ? readStatement(read.value, resources.v1Networks) : undefined
}

const unreadable = ({ header }: Input) =>
  refuse('invalid_request', {
    message: 'This is not an x402 payment of version 1 or 2. Nothing was charged.',
    field: header === undefined ? 'payload' : 'header',
  })

/** The tokens we settle, followed by those of every public chain we know. */
const knownTokens = ({ resources }: FacilitatorContext): SettledToken[] => [
  ...resources.tokens,
  ...PUBLIC_CHAINS.filter(({ network }) => !resources.chains.has(network)).map(({ network, usdc }) => ({
    network,
    asset: usdc.address,
    name: usdc.name,
    version: usdc.version,
  })),
]
