/** What decides when a job polls again. Times and durations in milliseconds of one clock. */
export interface PollTimes {
  /** When the last poll began and ended. */
  readonly beganAt: number
  readonly endedAt: number
  /** When something is known to come due, counted from the end of the last poll; undefined where nothing waits. */
  readonly dueInMs: number | undefined
  /** The last notification, and the last request to poll at once. */
  readonly notifiedAt: number
  readonly askedAt: number
  /** The earliest that something comes due after its notification. */
  readonly dueAfterMs: number
  readonly pollMs: number
  readonly sweepMs: number
  /** Whether notifications are known to arrive. */
  readonly arrive: boolean
}

/**
 * When to poll again: when something comes due or may have been missed, else on the sweep; never sooner than a beat
 * after the last poll, and on every beat while notifications do not arrive. A notification for which the last poll came
 * too early still counts.
 */
export function nextPollAt(times: PollTimes): number {
  const { beganAt, endedAt, dueInMs, notifiedAt, askedAt, dueAfterMs, pollMs, sweepMs, arrive } = times
  const soonest = endedAt + pollMs
  if (!arrive) return soonest
  const reasons = [endedAt + sweepMs]
  if (dueInMs !== undefined) reasons.push(endedAt + dueInMs)
  if (askedAt >= beganAt) reasons.push(askedAt)
  if (notifiedAt + dueAfterMs >= beganAt) reasons.push(notifiedAt + dueAfterMs)
  return Math.max(soonest, Math.min(...reasons))
}
