import { x402Facilitator } from '@callboard/contract'
import { PUBLIC_CHAINS } from '@callboard/evm'
import { refuse, unixSeconds } from '@callboard/values'
import { decodeHeader, encodeHeader, type SettledToken, type SettleResponse } from '@callboard/x402'
import { z } from 'zod'
import type { FacilitatorContext, FacilitatorHandler } from '../context.ts'
import { decodePayment, readStatement } from '../domain/decode/payment.ts'
import type { Statement } from '../domain/decode/statement.ts'
import { orNotNow } from '../settlement/or-unavailable.ts'
import { type Purchase, sell } from '../settlement/purchase/sell.ts'
import { waitMsOf } from '../settlement/purchase/wait.ts'
import { decodeOffer, decodeRequirements } from './offer.ts'

type Decode = typeof x402Facilitator.decode
type Input = Parameters<FacilitatorHandler<Decode>>[0]

const PENDING_RETRY_SECONDS = 2
const RESOURCE_PATH = x402Facilitator.decode.http?.path ?? '/'

export const decode: FacilitatorHandler<Decode> = async (input, ctx) => {
  const { payment, config } = ctx
  if (!payment) return paymentRequired(ctx, new URL(RESOURCE_PATH, config.BASE_URL).href)
  const statement = statementOf(input, ctx)
  if (!statement) return unreadable(input)
  const sale = await orNotNow(
    sell(ctx, payment, {
      operation: x402Facilitator.decode.id,
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
  return 'refusal' in sale ? sale : answer(ctx, sale, payment.resourceUrl)
}

type Decoded = Awaited<ReturnType<typeof decodePayment>>

function answer(ctx: FacilitatorContext, sale: Purchase<Decoded>, resourceUrl: string) {
  switch (sale.kind) {
    case 'granted':
      return { result: { ...sale.result, findings: [...sale.result.findings] }, settlement: sale.settlement }
    case 'unpaid':
      return paymentRequired(ctx, resourceUrl, sale)
    case 'pending':
      return refuse('settlement_pending', {
        message: 'The payment was sent and its outcome is not known yet. Repeat the request with the same payment.',
        details: { settlement: sale.settlement },
        retryAfterSeconds: PENDING_RETRY_SECONDS,
      })
    case 'conflict':
      return refuse('payment_conflict', { message: 'The payment or its identifier was used for a different request.' })
    case 'malformed_identifier':
      return refuse('invalid_request', {
        message: 'extensions["payment-identifier"].info.id must be 16 to 128 letters, digits, "-" or "_".',
        field: 'extensions.payment-identifier.info.id',
      })
  }
}

const paymentRequired = (
  ctx: FacilitatorContext,
  resourceUrl: string,
  { error, settlement }: { error?: string; settlement?: SettleResponse } = {},
) =>
  refuse('payment_required', {
    details: { ...decodeOffer(ctx, resourceUrl, error), ...(settlement ? { settlement } : {}) },
  })

/** A payload is read as the header it would be: what a header may not hold cannot be asked about either. */
function statementOf({ header, payload = {} }: Input, { resources }: FacilitatorContext): Statement | undefined {
  const read = decodeHeader(z.record(z.string(), z.unknown()), header ?? encodeHeader(payload))
  return read.ok ? readStatement(read.value, resources.v1Networks) : undefined
}

const unreadable = ({ header }: Input) =>
  refuse('invalid_request', {
    message: 'This is not an x402 payment of version 1 or 2; nothing was charged.',
    field: header === undefined ? 'payload' : 'header',
  })

/** The tokens we settle, then those of every public chain we know. */
const knownTokens = ({ resources }: FacilitatorContext): SettledToken[] => [
  ...resources.tokens,
  ...PUBLIC_CHAINS.filter(({ network }) => !resources.chains.has(network)).map(({ network, usdc }) => ({
    network,
    asset: usdc.address,
    name: usdc.name,
    version: usdc.version,
  })),
]
