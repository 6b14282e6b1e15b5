import { every } from '@callboard/runtime'
import { HOUR_MS, MINUTE_MS } from '@callboard/values'
import type { OauthKit } from './kit.ts'
import { sweepSessions } from './store/session.repository.ts'

/** Removes sessions that have ended; introspection refuses them already. */
export const sweep = every<OauthKit>('sweep-sessions', 10 * MINUTE_MS, async ({ db, clock, config }) => {
  const now = clock.now()
  await sweepSessions(
    db,
    new Date(now - config.SESSION_MAX_HOURS * HOUR_MS),
    new Date(now - config.SESSION_IDLE_HOURS * HOUR_MS),
  )
})
