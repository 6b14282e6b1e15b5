import { router, x402Facilitator } from '@callboard/contract'
import { whenWoken } from '@callboard/runtime'
import { type Hex, isRefusal, MINUTE_MS, SECOND_MS } from '@callboard/values'
import type { Callee, RouterCallingContext, RouterContext } from '../context.ts'
import {
  forgetTopUp,
  lookAgainAt,
  markFailed,
  pendingTopUps,
  type TopUp,
  takeDueTopUps,
} from '../store/top-up.repository.ts'
import { creditTopUp } from '../top-ups/credit.ts'
import { FIRST_CHECK_MS, OVER_MS, recheckDelayMs, type Seen } from '../top-ups/recheck-schedule.ts'

const AT_ONCE = 20
/** The most payments queried per run, longest due first: anyone may present something that is not a payment. */
const MOST = 500

/** No event is needed: a payment is due half a minute after it was presented, and the job runs about as often. */
const waking = { channels: [], pollMs: 10 * SECOND_MS }

/**
 * Credits settled payments that their own call did not credit, closes the notes of failed ones, and forgets those that
 * were never payments. Each is checked on its own, with growing pauses, regardless of the others; those for which the
 * facilitator knows that money may have moved come before the rest, which cost nothing to invent.
 */
export const creditTopUps = whenWoken<RouterContext, Callee>(
  'credit-top-ups',
  () => waking,
  async (ctx, signal) => {
    const { db, clock, resources } = ctx
    const now = clock.now()
    const awaitedBefore = new Date(now - MINUTE_MS)
    let pending = await pendingTopUps(db, awaitedBefore)
    if (pending.dueAt && pending.dueAt.getTime() <= now) {
      await lookAtDue(ctx, now, signal)
      pending = await pendingTopUps(db, awaitedBefore)
    }
    resources.metering.uncredited.set(pending.awaited)
    return pending.dueAt ? pending.dueAt.getTime() - clock.now() : undefined
  },
)

async function lookAtDue(ctx: RouterCallingContext, now: number, signal: AbortSignal): Promise<void> {
  const due = { now: new Date(now), until: new Date(now + FIRST_CHECK_MS), limit: AT_ONCE }
  let awaited = true
  for (let taken = 0; taken < MOST && !signal.aborted; ) {
    const page = await takeDueTopUps(ctx.db, { ...due, awaited })
    taken += page.length
    const looks = await Promise.all(page.map((topUp) => look(ctx, topUp, now)))
    // If none of a whole page could be queried, none of the next page can.
    if (page.length === AT_ONCE && looks.includes(true)) continue
    if (!awaited) break
    awaited = false
  }
}

/** Checks one payment and schedules the next check. @returns false if that failed; the others do not wait for it */
async function look(ctx: RouterCallingContext, topUp: TopUp, now: number): Promise<boolean> {
  const { db, log, resources } = ctx
  const ageMs = now - topUp.createdAt.getTime()
  const again = (seen: Seen) =>
    lookAgainAt(db, topUp, { dueAt: new Date(now + recheckDelayMs(seen, ageMs)), awaited: seen === 'awaited' })
  try {
    const seen = await followUp(ctx, topUp, ageMs)
    if (seen) await again(seen)
    return true
  } catch (error) {
    log.error({ err: error, paymentKey: topUp.paymentKey, owner: topUp.owner }, 'a top-up could not be looked at')
    resources.metering.topUpFailures.inc()
    await again('awaited')
    return false
  }
}

/** Applies the outcome of a payment to its note. @returns what is known of it if it is not final */
async function followUp(ctx: RouterCallingContext, topUp: TopUp, ageMs: number): Promise<Seen | undefined> {
  const { paymentKey, fingerprint } = topUp
  const asked = { operation: router.topUp.id, paymentKey, requestFingerprint: fingerprint as Hex }
  const found = await ctx.call(x402Facilitator.purchaseState, asked)
  if (isRefusal(found)) throw new Error(`the facilitator says nothing of a payment: ${found.refusal}`)
  const { state, transaction } = found
  if (state === 'settled') await creditTopUp(ctx, { ...topUp, transaction })
  else if (state !== 'failed' && state !== 'absent') return 'awaited'
  else if (ageMs <= OVER_MS) return 'nothing'
  else await (state === 'failed' ? markFailed : forgetTopUp)(ctx.db, topUp)
  return undefined
}
