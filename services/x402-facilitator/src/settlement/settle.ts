import { setTimeout as wait } from 'node:timers/promises'
import type { FacilitatorRequest } from '@callboard/contract'
import { markSpan, within } from '@callboard/runtime'
import type { Address, Refusal } from '@callboard/values'
import { type Confirmation, reasonIn, type SettleResponse } from '@callboard/x402'
import { ChainUnavailable } from '../chain/chain-unavailable.ts'
import type { FacilitatorContext } from '../context.ts'
import { countsAt, reachedBy } from '../domain/confirmation.ts'
import { discoveredResource } from '../domain/discovered-resource.ts'
import { isOpen } from '../domain/payment-state.ts'
import { notSettled, settleResponse } from '../domain/settle-outcome.ts'
import { PaymentMoved } from '../store/move.repository.ts'
import type { Claim } from '../store/payment.repository.ts'
import type { Payment } from '../store/tables.ts'
import { suffixOf } from './batching/ask-chain.ts'
import { settlementFailpoints } from './failpoints.ts'
import { lookAtReverted } from './finality/follow-reverted.ts'
import { GasBudgetSpent } from './gas/gas-budget-spent.ts'
import { spanOf } from './payment-span.ts'
import { isSameAuthorization } from './payment-terms.ts'
import { type Authentic, authenticate } from './purchase/authenticate.ts'
import { runPayment } from './runner/run-payment.ts'

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
  const row = known && (await awaitOutcome(ctx, known, { waitMs, policy, claimed }))
  if (row) markSpan(spanOf(row))
  if (!row) throw new ChainUnavailable(`the claim of ${key} was given up, because its chain is unavailable`)
  return settleResponse(row, { x402Version, v1Networks: ctx.resources.v1Networks }, policy)
}

/** How often a payment is checked whose progress depends on others than its runner. */
const LOOK_MS = 250

export interface Awaited {
  readonly waitMs: number
  /** From which confirmation on it counts for the caller. */
  readonly policy: Confirmation
  /** The row, where the caller has just claimed it. */
  readonly claimed?: Payment | undefined
}

/**
 * Waits until a payment has failed or reached its policy, running it while that helps. A sent payment advances further
 * only with the chain (`watch-blocks`); one whose transaction failed is not waited for. Only so many requests wait for
 * what they cannot hasten.
 * @returns the payment with its outcome, or as it is when the time is over; undefined when there is none
 * @throws ChainUnavailable when the chain is unavailable and nothing was signed
 */
export async function awaitOutcome(
  ctx: FacilitatorContext,
  seen: Payment,
  { waitMs, policy, claimed }: Awaited,
): Promise<Payment | undefined> {
  const { key } = seen
  const end = performance.now() + waitMs
  let row: Payment | undefined = seen
  let held = claimed
  let endWait: (() => void) | undefined
  try {
    while (row && !isAnswered(row, policy)) {
      const left = end - performance.now()
      if (left <= 0) return row
      const isOwn = claimed !== undefined && isOpen(row.state)
      if (!isOwn) endWait ??= ctx.resources.idleWaits.begin()
      if (!isOwn && !endWait) return row
      if (isOpen(row.state)) {
        const ran = await ranFor(ctx, key, left, held)
        if (ran.rests) return ran.row
        row = ran.row
      } else {
        await wait(Math.min(LOOK_MS, left))
        row = await ctx.resources.batcher.find(key)
      }
      held = undefined
    }
  } finally {
    endWait?.()
  }
  return row?.state === 'reverted' ? seenOnceMore(ctx, row) : row
}

/**
 * Runs a payment for a while. An error says that nothing was sent and nothing will be, so it counts only where the
 * payment was given up: one that is still there may be run by another process, or was sent before.
 * @returns the payment as it is then, and whether it is left alone for now
 * @throws ChainUnavailable, GasBudgetSpent
 */
async function ranFor(
  ctx: FacilitatorContext,
  key: string,
  forMs: number,
  claimed: Payment | undefined,
): Promise<{ readonly row: Payment | undefined; readonly rests: boolean }> {
  const { batcher } = ctx.resources
  try {
    const ran = await within(forMs, runPayment(ctx, key, { forMs, releases: true, claimed }))
    return ran ? { row: ran, rests: isOpen(ran.state) } : { row: await batcher.find(key), rests: false }
  } catch (error) {
    const kept = isNotNow(error) ? await batcher.find(key) : undefined
    if (!kept) throw error
    await wait(Math.min(LOOK_MS, forMs))
    return { row: kept, rests: false }
  }
}

const isNotNow = (error: unknown) => error instanceof ChainUnavailable || error instanceof GasBudgetSpent

/** Checks the authorization of a payment whose transaction failed. Where that is not possible it stays unknown. */
async function seenOnceMore(ctx: FacilitatorContext, row: Payment): Promise<Payment> {
  try {
    return await lookAtReverted(ctx, row)
  } catch (error) {
    if (error instanceof ChainUnavailable || error instanceof PaymentMoved) return row
    throw error
  }
}

/** Whether there is nothing to wait for now: its transaction failed, it failed itself, or it has reached the policy. */
const isAnswered = ({ state }: Payment, policy: Confirmation): boolean =>
  !isOpen(state) && (reachedBy(state) === null || countsAt(state, policy))
