import { HOUR_MS } from '@callboard/values'

export interface SessionLimits {
  readonly SESSION_IDLE_HOURS: number
  readonly SESSION_MAX_HOURS: number
}

/** When a session ends: a set time after its last use, and at the latest a set time after sign-in. Milliseconds. */
export const sessionEnd = (session: { created_at: Date; last_seen_at: Date }, limits: SessionLimits): number =>
  Math.min(
    session.created_at.getTime() + limits.SESSION_MAX_HOURS * HOUR_MS,
    session.last_seen_at.getTime() + limits.SESSION_IDLE_HOURS * HOUR_MS,
  )
