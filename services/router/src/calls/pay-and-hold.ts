import type { PresentedPayment } from '@callboard/contract'
import { isRefusal, type Refusal, refuse } from '@callboard/values'
import { encodeHeader, PAYMENT_RESPONSE_HEADER } from '@callboard/x402'
import type { RouterCallingContext } from '../context.ts'
import { nanoUsdOf } from '../domain/usd.ts'
import { buy } from '../top-ups/buy.ts'
import type { Accepted } from '../top-ups/offers.ts'
import { boundTo, presentedPayment } from '../top-ups/presented.ts'
import type { CallRefusal, HeldCall } from './call.ts'
import { finish } from './finish.ts'
import { type HoldOutcome, holdCall, nothingBought } from './hold-call.ts'
import { offerTopUp } from './offer-top-up.ts'
import type { PreparedCall } from './prepare.ts'

/** A call whose cost is held, and the settlement of the payment that came with it. */
export interface Admitted {
  readonly call: HeldCall
  /** The chain's evidence of its payment; every answer carries it, however the call ends. */
  readonly settlement?: object
}

/** Holds a call with the money that is there, or offers a top-up for what is missing. */
export async function holdOrOffer(ctx: RouterCallingContext, prepared: PreparedCall): Promise<Admitted | CallRefusal> {
  const outcome = await holdCall(ctx, prepared)
  return outcome.kind === 'held' ? { call: outcome.call } : refusalOf(ctx, prepared, outcome)
}

/**
 * Credits a call's payment to the balance of the call's owner and holds the call; the rest of the payment stays there.
 * A payment that would not suffice, or whose call is refused for another reason, is not taken.
 */
export async function payAndHold(
  ctx: RouterCallingContext,
  prepared: PreparedCall,
  payment: PresentedPayment,
): Promise<Admitted | CallRefusal> {
  const { payer, bounds } = prepared
  const presented = presentedPayment(payment.payload)
  if (!presented)
    return refuse('invalid_request', { field: 'payment', message: 'payment: does not match an offer of this service' })
  const first: HoldOutcome = payer.isUnproved ? nothingBought(ctx, bounds.least) : await holdCall(ctx, prepared)
  if (first.kind === 'refused') return first.refusal
  const held = first.kind === 'held' ? first.call : undefined
  try {
    const admitted = await take(ctx, prepared, { payment, accepted: presented.accepted, first })
    // The tokens of a refused call are returned where it is refused, and only there.
    if (held && isRefusal(admitted)) await finish(ctx, { ...held, expectedTokens: 0 }, { kind: 'failed_before_output' })
    return admitted
  } catch (error) {
    if (held) await finish(ctx, held, { kind: 'failed_before_output' })
    throw error
  }
}

interface Taking {
  readonly payment: PresentedPayment
  readonly accepted: Accepted
  /** The result of holding the call without the payment. */
  readonly first: Exclude<HoldOutcome, { kind: 'refused' }>
}

async function take(
  ctx: RouterCallingContext,
  prepared: PreparedCall,
  { payment, accepted, first }: Taking,
): Promise<Admitted | CallRefusal> {
  const { payer, bounds } = prepared
  const held = first.kind === 'held' ? first.call : undefined
  const usd = await ctx.resources.offers.tierOf(ctx, accepted)
  const needed = first.kind === 'held' ? 0n : first.needed
  if (usd === undefined || needed === undefined || nanoUsdOf(usd) < needed)
    return refusalOf(ctx, prepared, first.kind === 'held' ? nothingBought(ctx, bounds.least) : first)
  const owner = payer.wallet ?? first.key?.owner
  if (owner === undefined) throw new Error('a call that is held has no owner')
  const keyId = first.key?.source === 'compute' ? first.key.id : null
  const bound = { ...payment, requestFingerprint: boundTo(payment.requestFingerprint, owner, usd) }
  const bought = await buy(ctx, { payment: bound, owner, usd, keyId })
  return isRefusal(bought) ? bought : paidCall(ctx, prepared, { ...bought, held })
}

interface Bought {
  readonly settlement: object
  readonly isFirst: boolean
  readonly held: HeldCall | undefined
}

async function paidCall(ctx: RouterCallingContext, prepared: PreparedCall, { settlement, isFirst, held }: Bought) {
  // A payment is public once it is settled, so repeating it proves nothing.
  if (prepared.payer.isUnproved && !isFirst) {
    const message =
      'The payment was already credited to its wallet. To spend the balance, sign in as that wallet with SIGN-IN-WITH-X.'
    return withEvidence(refuse('payment_conflict', { message }), settlement)
  }
  const outcome = held ? undefined : await holdCall(ctx, prepared)
  if (outcome && outcome.kind !== 'held') return withEvidence(await refusalOf(ctx, prepared, outcome), settlement)
  const call = held ?? outcome?.call
  if (!call) throw new Error('a call is neither held nor refused')
  const headers = { ...call.headers, [PAYMENT_RESPONSE_HEADER.toLowerCase()]: encodeHeader(settlement) }
  return { call: { ...call, headers }, settlement }
}

async function refusalOf(
  ctx: RouterCallingContext,
  { surface, headers }: PreparedCall,
  outcome: Exclude<HoldOutcome, { kind: 'held' }>,
): Promise<CallRefusal> {
  if (outcome.kind === 'refused') return outcome.refusal
  const { needed } = outcome
  const refusal = { ...outcome.refusal, headers }
  return needed === undefined ? refusal : offerTopUp(ctx, refusal, { needed, surface })
}

/** Adds the settlement to the refusal of a call whose payment was taken. */
export const withEvidence = <Code extends string>(refusal: Refusal<Code>, settlement?: object): Refusal<Code> =>
  settlement ? { ...refusal, details: { ...refusal.details, settlement } } : refusal
