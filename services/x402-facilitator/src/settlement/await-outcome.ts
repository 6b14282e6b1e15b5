import { setTimeout as wait } from 'node:timers/promises'
import { within } from '@callboard/runtime'
import type { Confirmation } from '@callboard/x402'
import { ChainUnavailable } from '../chain/chain-unavailable.ts'
import type { FacilitatorContext } from '../context.ts'
import { countsAt, reachedBy } from '../domain/confirmation.ts'
import { isOpen } from '../domain/payment-state.ts'
import { PaymentMoved } from '../store/move.repository.ts'
import type { Payment } from '../store/tables.ts'
import { lookAtReverted } from './finality/follow-reverted.ts'
import { GasBudgetSpent } from './gas/gas-budget-spent.ts'
import { runPayment } from './runner/run-payment.ts'

/** How often a payment is checked whose progress depends on others than its runner. */
const LOOK_MS = 250

/** What a caller waits for. */
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
 * @param seen its row; undefined where there is none
 * @returns the payment with its outcome, or as it is when the time is over
 * @throws ChainUnavailable when the chain is unavailable and nothing was signed
 */
export async function awaitOutcome(
  ctx: FacilitatorContext,
  key: string,
  seen: Payment | undefined,
  awaited: Awaited,
): Promise<Payment> {
  const row = seen && (await outcomeOf(ctx, seen, awaited))
  if (!row) throw new ChainUnavailable(`the claim of ${key} was given up, because its chain is unavailable`)
  return row
}

/** @returns undefined when the payment was given up */
async function outcomeOf(
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
      if (!isOwn) endWait ??= ctx.resources.idleWaits.begin(row.origin)
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

/**
 * Checks the authorization of a payment whose transaction failed. Where that is not possible it stays unknown; where
 * someone else found its outcome first, that is its outcome.
 */
async function seenOnceMore(ctx: FacilitatorContext, row: Payment): Promise<Payment> {
  try {
    return await lookAtReverted(ctx, row)
  } catch (error) {
    if (error instanceof ChainUnavailable) return row
    if (error instanceof PaymentMoved) return (await ctx.resources.batcher.find(row.key)) ?? row
    throw error
  }
}

/** Whether there is nothing to wait for now: its transaction failed, it failed itself, or it has reached the policy. */
const isAnswered = ({ state }: Payment, policy: Confirmation): boolean =>
  !isOpen(state) && (reachedBy(state) === null || countsAt(state, policy))
