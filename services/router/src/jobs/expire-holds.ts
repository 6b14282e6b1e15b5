import { every } from '@callboard/runtime'
import { SECOND_MS } from '@callboard/values'
import type { RouterContext } from '../context.ts'
import { expiredCalls, settle } from '../store/hold.repository.ts'

const AT_ONCE = 200

/** Releases the holds of calls whose process died: what is lost by a fault of ours is free. */
export const expireHolds = every<RouterContext>('expire-holds', 10 * SECOND_MS, async (ctx) => {
  const now = new Date(ctx.clock.now())
  for (const callId of await expiredCalls(ctx.db, now, AT_ONCE)) {
    await settle(ctx.db, callId, { cost: 0n, estimated: false, ending: 'lost', now })
  }
})
