import { every } from '@callboard/runtime'
import { DAY_MS, HOUR_MS } from '@callboard/values'
import type { RouterContext } from '../context.ts'
import { forgetFailed } from '../store/top-up.repository.ts'

/** As long as the facilitator can say why it refused a payment. */
const KEPT_MS = 30 * DAY_MS

/** Forgets payments that failed long ago: signing one that a wallet cannot pay costs nothing, nor does a new wallet. */
export const forgetTopUps = every<RouterContext>('forget-top-ups', HOUR_MS, async ({ db, clock }, signal) => {
  const before = new Date(clock.now() - KEPT_MS)
  while ((await forgetFailed(db, before)) && !signal.aborted);
})
