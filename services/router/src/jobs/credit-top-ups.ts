import { router, x402Facilitator } from '@callboard/contract'
import { every } from '@callboard/runtime'
import { type Hex, HOUR_MS, isRefusal, MINUTE_MS, SECOND_MS } from '@callboard/values'
import type { Callee, RouterContext } from '../context.ts'
import { markFailed, pendingTopUps } from '../store/top-up.repository.ts'
import { creditTopUp } from '../top-ups/credit.ts'

/** Longer than most handlers wait for their settlement. */
const LEFT_MS = 30 * SECOND_MS
/** No authorization of an offer of ours holds so long. */
const OVER_MS = HOUR_MS
const AT_ONCE = 100

/** Credits payments that were settled while nobody was there to credit them, and forgets those that came to nothing. */
export const creditTopUps = every<RouterContext, Callee>('credit-top-ups', 10 * SECOND_MS, async (ctx, signal) => {
  const now = ctx.clock.now()
  const pending = await pendingTopUps(ctx.db, new Date(now - LEFT_MS), AT_ONCE)
  let late = 0
  for (const { paymentKey, owner, amount, fingerprint, keyId, createdAt } of pending) {
    if (signal.aborted) return
    const asked = { operation: router.topUp.id, paymentKey, requestFingerprint: fingerprint as Hex }
    const found = await ctx.call(x402Facilitator.purchaseState, asked)
    if (isRefusal(found)) continue
    const isOld = createdAt.getTime() < now - OVER_MS
    if (found.state === 'settled')
      await creditTopUp(ctx, { paymentKey, fingerprint, owner, amount, keyId, transaction: found.transaction })
    else if (found.state === 'failed' || (found.state === 'absent' && isOld))
      await markFailed(ctx.db, { paymentKey, fingerprint })
    else if (createdAt.getTime() < now - MINUTE_MS && found.state !== 'absent') late += 1
  }
  ctx.resources.metering.uncredited.set(late)
})
