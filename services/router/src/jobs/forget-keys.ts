import { every } from '@callboard/runtime'
import { DAY_MS, HOUR_MS } from '@callboard/values'
import type { RouterContext } from '../context.ts'
import { forgetUnused } from '../store/key.repository.ts'

/** As long as `oauth` keeps ended API keys. */
const KEPT_MS = 90 * DAY_MS

/** Forgets keys that ended long ago without a call: making and ending one costs nothing. */
export const forgetKeys = every<RouterContext>('forget-keys', HOUR_MS, async ({ db, clock }, signal) => {
  const before = new Date(clock.now() - KEPT_MS)
  while ((await forgetUnused(db, before)) && !signal.aborted);
})
