import { whenWoken } from '@callboard/runtime'
import { SECOND_MS } from '@callboard/values'
import type { RouterContext } from '../context.ts'
import { expiredCalls, nextExpiry, settle } from '../store/hold.repository.ts'

const AT_ONCE = 200

/** No event is needed: a hold expires minutes after it began, and one of the runs in between learns when. */
const waking = { channels: [], pollMs: 10 * SECOND_MS }

/** Releases the holds of calls whose process died: a call that we lose is free. */
export const expireHolds = whenWoken<RouterContext>(
  'expire-holds',
  () => waking,
  async ({ db, clock }) => {
    const now = clock.now()
    const expiry = await nextExpiry(db)
    if (expiry === undefined) return undefined
    if (expiry > now) return expiry - now
    const at = new Date(now)
    for (const callId of await expiredCalls(db, at, AT_ONCE)) {
      await settle(db, callId, { cost: 0n, estimated: false, ending: 'lost', now: at })
    }
    return 0
  },
)
