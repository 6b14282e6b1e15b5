import { router, x402Facilitator } from '@callboard/contract'
import { every } from '@callboard/runtime'
import { type Hex, HOUR_MS, isRefusal, MINUTE_MS, SECOND_MS } from '@callboard/values'
import type { Callee, RouterCallingContext, RouterContext } from '../context.ts'
import { forgetTopUp, markFailed, pendingTopUps, type TopUp } from '../store/top-up.repository.ts'
import { creditTopUp } from '../top-ups/credit.ts'

/** Longer than most handlers wait for their settlement. */
const LEFT_MS = 30 * SECOND_MS
/** So long a payment that came to nothing may come after all: its block goes away, or it is presented again. */
const OVER_MS = HOUR_MS
const AT_ONCE = 100

/**
 * Credits payments that were settled while nobody was there to credit them, ends the notes of those that came to nothing, and forgets
 * what was no payment. It asks for all that are pending: anyone may present what is none, and none of those stands before another one.
 */
export const creditTopUps = every<RouterContext, Callee>('credit-top-ups', 10 * SECOND_MS, async (ctx, signal) => {
  const now = ctx.clock.now()
  let late = 0
  let page: TopUp[] = []
  do {
    page = await pendingTopUps(ctx.db, new Date(now - LEFT_MS), AT_ONCE, page.at(-1))
    for (const topUp of page) {
      if (signal.aborted) return
      if (await followUp(ctx, topUp, now)) late += 1
    }
  } while (page.length === AT_ONCE)
  ctx.resources.metering.uncredited.set(late)
})

/** Does with a note what its payment came to. @returns whether it was sent and its chain has not said for longer than it takes */
async function followUp(ctx: RouterCallingContext, topUp: TopUp, now: number): Promise<boolean> {
  const { paymentKey, fingerprint, createdAt } = topUp
  const asked = { operation: router.topUp.id, paymentKey, requestFingerprint: fingerprint as Hex }
  const found = await ctx.call(x402Facilitator.purchaseState, asked)
  if (isRefusal(found)) return false
  const { state, transaction } = found
  if (state === 'settled') await creditTopUp(ctx, { ...topUp, transaction })
  else if (state !== 'failed' && state !== 'absent') return createdAt.getTime() < now - MINUTE_MS
  else if (createdAt.getTime() < now - OVER_MS) await (state === 'failed' ? markFailed : forgetTopUp)(ctx.db, topUp)
  return false
}
