import { setTimeout as wait } from 'node:timers/promises'
import { inSpan, schemaOf } from '@callboard/runtime'
import { ChainUnavailable } from '../../chain/chain-unavailable.ts'
import type { FacilitatorContext } from '../../context.ts'
import { isOpen, TRANSITIONS } from '../../domain/payment-state.ts'
import { endLease, rest } from '../../store/lease.repository.ts'
import { PaymentMoved } from '../../store/move.repository.ts'
import { claimsChannel, releasePayment } from '../../store/payment.repository.ts'
import type { Payment } from '../../store/tables.ts'
import { GasBudgetSpent } from '../gas/gas-budget-spent.ts'
import { spanOf } from '../payment-span.ts'
import { onItsWay } from '../payment-terms.ts'
import type { StepCache } from '../steps/step.ts'
import { STEPS } from '../steps/steps.ts'
import { pauseMs } from './overdue.ts'

/** How often a payment that another process runs is checked. */
const WATCH_MS = 100
/** A lease is renewed when this much of it is used. */
const RENEW_MS = 2_500
/** How long a use that the token counts and no node shows is looked for without a pause, and the pauses after that. */
const UNSHOWN_MS = 1_000
const UNSHOWN_PAUSE_MS = 5_000

export interface RunLimits {
  /** How long to go on, in milliseconds. */
  readonly forMs: number
  /**
   * Whether a payment for which nothing was signed is given up when its chain is unavailable: the caller may retry. One
   * whose gas budget is spent is always given up, or it would be retried for as long as its authorization is valid.
   */
  readonly releases: boolean
  /** The row, where the caller has just claimed it and holds its lease. */
  readonly claimed?: Payment | undefined
}

/**
 * Runs a payment until it has an outcome, or joins the run under way. Each has one run at a time: within the process by
 * `runs`, between processes by the lease in its row. Neither is what makes a payment happen only once; the order of
 * writes in the steps does.
 * @returns the payment at the end, undefined when another process has it; before its time is over an open one only where
 * it rests
 * @throws ChainUnavailable when nothing could be done because of it
 * @throws GasBudgetSpent when nothing was signed because a gas budget is spent
 */
export const runPayment = (ctx: FacilitatorContext, key: string, limits: RunLimits): Promise<Payment | undefined> =>
  ctx.resources.runs.run(key, () => runAlone(ctx, key, limits))

async function runAlone(ctx: FacilitatorContext, key: string, limits: RunLimits): Promise<Payment | undefined> {
  const end = performance.now() + limits.forMs
  let row = limits.claimed
  while (performance.now() < end) {
    row ??= await ctx.resources.batcher.lease(key)
    if (row) return leased(ctx, row, end, limits.releases)
    const seen = await ctx.resources.batcher.find(key)
    if (!seen || !isOpen(seen.state)) return seen
    await wait(WATCH_MS)
  }
  return undefined
}

async function leased(
  ctx: FacilitatorContext,
  first: Payment,
  end: number,
  releases: boolean,
): Promise<Payment | undefined> {
  const cache: StepCache = {}
  let row = first
  let leasedAt = performance.now()
  try {
    for (;;) {
      const moved = await stepOf(ctx, row, cache)
      row = moved ?? row
      if (!isOpen(row.state) || performance.now() >= end) return row
      const restMs = moved ? 0 : restOf(ctx, row, cache)
      if (restMs > 0 && isUnsigned(row)) return row
      if (restMs > 0) await wait(Math.min(restMs, RENEW_MS, end - performance.now()))
      else if (!moved) await nextNews(ctx, row, cache)
      if (restMs > 0 && performance.now() >= end) return row
      if (performance.now() - leasedAt < RENEW_MS) continue
      const renewed = await ctx.resources.batcher.lease(row.key)
      if (!renewed) return undefined
      row = renewed
      leasedAt = performance.now()
    }
  } catch (error) {
    if (error instanceof PaymentMoved) return undefined
    const isGivenUp = error instanceof GasBudgetSpent || (error instanceof ChainUnavailable && releases)
    if (isGivenUp && mayBeReleased(row)) {
      await releasePayment(ctx.db, row)
    }
    throw error
  } finally {
    // A payment with its outcome no longer has a lease.
    if (isOpen(row.state)) await giveBack(ctx, row, cache)
  }
}

/**
 * Ends the lease of an open payment, which this process's job then takes up; for one that rests, only when its pause is
 * over, which no other process cuts short.
 */
async function giveBack(ctx: FacilitatorContext, row: Payment, cache: StepCache): Promise<void> {
  const { db, name, notifications, resources } = ctx
  const forMs = restOf(ctx, row, cache)
  if (forMs > 0) await rest(db, row.key, { owner: resources.instance, forMs })
  else await endLease(db, row.key, resources.instance)
  notifications.wake(claimsChannel(schemaOf(name)), 'look')
}

/**
 * How long to leave a payment alone: a sent one that is in no block, 0 while it is on time; and one whose authorization
 * is used, by what no node shows. Milliseconds.
 */
function restOf(ctx: FacilitatorContext, row: Payment, { searchedAt }: StepCache): number {
  if (row.state === 'broadcast') return pauseMs(onItsWay(ctx, row))
  const isUnshown = searchedAt !== undefined && performance.now() - searchedAt > UNSHOWN_MS
  return isUnshown && isUnsigned(row) ? UNSHOWN_PAUSE_MS : 0
}

/** Waits until a payment may have news: until the network's next poll, or a push from a node. */
const nextNews = (
  { resources }: FacilitatorContext,
  { network }: Payment,
  { transaction, preconfirmed, pushed }: StepCache,
) =>
  inSpan('settlement.wait', async () => {
    const beat = resources.polls.next(network)
    await (pushed && !transaction && !preconfirmed ? Promise.race([beat, pushed]) : beat)
  })

/** Once something was sent, an unavailable chain is waited for; before that, the error goes to the caller. */
async function stepOf(ctx: FacilitatorContext, row: Payment, cache: StepCache): Promise<Payment | undefined> {
  const steps = STEPS[row.state]
  if (!steps) throw new Error(`a ${row.state} payment has no step`)
  try {
    for (const step of steps) {
      const moved = await inSpan(`settlement.${step.name}`, () => step(ctx, row, cache), spanOf(row))
      if (moved) return moved
    }
    return undefined
  } catch (error) {
    if (!(error instanceof ChainUnavailable) || isUnsigned(row)) throw error
    ctx.log.warn(
      { err: error, key: row.key, state: row.state },
      'the chain is unavailable while a payment is on its way',
    )
    return undefined
  }
}

const isUnsigned = ({ state }: Payment) => TRANSITIONS[state].released === 'absent'

/** A payment once answered with success, or once in a transaction, keeps its row, regardless of its block. */
const mayBeReleased = (row: Payment) =>
  isUnsigned(row) && row.announced_tx === null && row.preconfirmed_tx === null && row.tx_hash === null
