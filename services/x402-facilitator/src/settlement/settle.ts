import type { FacilitatorRequest } from '@callboard/contract'
import { markSpan } from '@callboard/runtime'
import type { Address, Refusal } from '@callboard/values'
import { reasonIn, type SettleResponse } from '@callboard/x402'
import type { FacilitatorContext } from '../context.ts'
import { discoveredResource } from '../domain/discovered-resource.ts'
import { notSettled, settleResponse } from '../domain/settle-outcome.ts'
import type { Claim } from '../store/payment.repository.ts'
import type { Payment } from '../store/tables.ts'
import { awaitOutcome } from './await-outcome.ts'
import { suffixOf } from './batching/ask-chain.ts'
import { settlementFailpoints } from './failpoints.ts'
import { spanOf } from './payment-span.ts'
import { isSameAuthorization } from './payment-terms.ts'
import { type Authentic, authenticate } from './purchase/authenticate.ts'

export interface SettleOptions {
  /** Whether a version 1 payment is accepted. */
  readonly v1: boolean
  /** How long to wait for an outcome. */
  readonly waitMs: number
}

/** Who asks for a settlement, for gas accounting. */
export interface Asker {
  /** The network of the requester, IPv4 /24 or IPv6 /48; null for an internal request. */
  readonly origin: string | null
  /** The owner of the request's credential. */
  readonly sponsor: Address | null
  /** The request's id in logs. */
  readonly requestId: string
}

/**
 * Settles a payment once, or reports its outcome.
 * @refuses invalid_request where the seller's offer asks for a policy that is not allowed: nothing is claimed then
 * @throws ChainUnavailable when the chain is unavailable and nothing was signed
 * @throws GasBudgetSpent when nothing was signed because a gas budget is spent
 */
export async function settlePayment(
  ctx: FacilitatorContext,
  request: FacilitatorRequest,
  options: SettleOptions & Asker,
): Promise<SettleResponse | Refusal<'invalid_request'>> {
  const checked = await authenticate(ctx, request, { v1: options.v1, claimsNext: true })
  if (!checked.ok) return checked.refusal ?? checked.response
  const claim = claimOf(ctx, checked.authentic, options)
  const claimed = claim && (await ctx.resources.batcher.claim(claim))
  if (claimed) settlementFailpoints.hit('claimed', 1)
  return settleAuthentic(ctx, checked.authentic, options.waitMs, claimed)
}

/** The claim on a payment that can still be made; undefined when only its stored outcome can be asked for. */
export function claimOf(
  ctx: FacilitatorContext,
  { payment, isOver, transfer, request, policy }: Authentic,
  { origin, sponsor, requestId }: Asker,
): Claim | undefined {
  if (!payment) return undefined
  const { paymentPayload, paymentRequirements } = request
  return {
    transfer,
    suffix: suffixOf(ctx, payment),
    confirmation: policy,
    resource: isOver ? undefined : discoveredResource(payment, paymentPayload, paymentRequirements),
    origin,
    sponsor,
    requestId,
    owner: ctx.resources.instance,
    now: new Date(ctx.clock.now()),
  }
}

/**
 * Runs a payment whose claim was attempted to its outcome.
 * @param claimed the row, where the claim succeeded
 * @throws ChainUnavailable when the chain is unavailable and nothing was signed
 */
export async function settleAuthentic(
  ctx: FacilitatorContext,
  { key, transfer, x402Version, request, policy }: Authentic,
  waitMs: number,
  claimed: Payment | undefined,
): Promise<SettleResponse> {
  const known = claimed ?? (await ctx.resources.batcher.find(key))
  if (known && !isSameAuthorization(known, transfer)) {
    const reason = reasonIn(x402Version, 'invalid_exact_evm_nonce_already_used')
    return notSettled({ reason, payer: known.payer }, request.paymentRequirements)
  }
  const row = await awaitOutcome(ctx, key, known, { waitMs, policy, claimed })
  markSpan(spanOf(row))
  return settleResponse(row, { x402Version, v1Networks: ctx.resources.v1Networks }, policy)
}
