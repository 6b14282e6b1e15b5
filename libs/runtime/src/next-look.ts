/** What decides when a job looks again. Times and durations in milliseconds of one clock. */
export interface LookTimes {
  /** When the last look began and ended. */
  readonly beganAt: number
  readonly endedAt: number
  /** What is known to come due, from the end of the look on; undefined where nothing waits. */
  readonly dueInMs: number | undefined
  /** The last notification, and the last time that it was asked to look at once. */
  readonly notifiedAt: number
  readonly askedAt: number
  /** What a notification speaks of comes due so long after it, at the earliest. */
  readonly dueAfterMs: number
  readonly beatMs: number
  readonly sweepMs: number
  /** Whether notifications are known to arrive. */
  readonly arrive: boolean
}

/**
 * When to look again: when something comes due or may have been missed, else on the sweep; never sooner than a beat after
 * the last look, and on every beat while notifications do not arrive. A notification that the last look came too early
 * for counts still.
 */
export function nextLookAt(times: LookTimes): number {
  const { beganAt, endedAt, dueInMs, notifiedAt, askedAt, dueAfterMs, beatMs, sweepMs, arrive } = times
  const soonest = endedAt + beatMs
  if (!arrive) return soonest
  const reasons = [endedAt + sweepMs]
  if (dueInMs !== undefined) reasons.push(endedAt + dueInMs)
  if (askedAt >= beganAt) reasons.push(askedAt)
  if (notifiedAt + dueAfterMs >= beganAt) reasons.push(notifiedAt + dueAfterMs)
  return Math.max(soonest, Math.min(...reasons))
}
