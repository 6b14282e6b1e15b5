import { router, x402Facilitator } from '@callboard/contract'
import { every } from '@callboard/runtime'
import { type Hex, isRefusal, MINUTE_MS, SECOND_MS } from '@callboard/values'
import type { Callee, RouterCallingContext, RouterContext } from '../context.ts'
import {
  awaitedTopUps,
  forgetTopUp,
  lookAgainAt,
  markFailed,
  type TopUp,
  takeDueTopUps,
} from '../store/top-up.repository.ts'
import { creditTopUp } from '../top-ups/credit.ts'
import { FIRST_LOOK_MS, lookPauseMs, OVER_MS, type Seen } from '../top-ups/looks.ts'

const AT_ONCE = 20
/** Anyone may present what is no payment: so many are asked for in a run, those first that are due the longest. */
const MOST = 500

/**
 * Credits payments that were settled while nobody was there to credit them, ends the notes of those that came to nothing, and forgets
 * what was no payment. Each is looked at by itself and with growing pauses, whatever becomes of the others; those of which the facilitator
 * knows that money may have moved come before whatever else was presented, which costs nothing to invent.
 */
export const creditTopUps = every<RouterContext, Callee>('credit-top-ups', 10 * SECOND_MS, async (ctx, signal) => {
  const { db, clock, resources } = ctx
  const now = clock.now()
  const due = { now: new Date(now), until: new Date(now + FIRST_LOOK_MS), limit: AT_ONCE }
  let awaited = true
  for (let taken = 0; taken < MOST && !signal.aborted; ) {
    const page = await takeDueTopUps(db, { ...due, awaited })
    taken += page.length
    const looks = await Promise.all(page.map((topUp) => look(ctx, topUp, now)))
    // Where none of a whole page could be asked for, none of the next one can.
    if (page.length === AT_ONCE && looks.includes(true)) continue
    if (!awaited) break
    awaited = false
  }
  resources.metering.uncredited.set(await awaitedTopUps(db, new Date(now - MINUTE_MS)))
})

/** Looks at one payment, and says when next. @returns false when that failed: the others do not wait for it */
async function look(ctx: RouterCallingContext, topUp: TopUp, now: number): Promise<boolean> {
  const { db, log, resources } = ctx
  const ageMs = now - topUp.createdAt.getTime()
  const again = (seen: Seen) =>
    lookAgainAt(db, topUp, { dueAt: new Date(now + lookPauseMs(seen, ageMs)), awaited: seen === 'awaited' })
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

/** Does with a note what its payment came to. @returns what is seen of it where that is no end */
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
