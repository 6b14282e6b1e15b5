import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@callboard/values'

/** When a payment is first asked for that its handler has not credited: longer than most wait for their settlement. */
export const FIRST_LOOK_MS = 30 * SECOND_MS
/** So long a payment that came to nothing may come after all: it is presented again, or was refused for a moment only. */
export const OVER_MS = HOUR_MS

const LEAST_PAUSE_MS = 10 * SECOND_MS
/** The longest that a credit may come later than its payment. */
const LONGEST_PAUSE_MS = MINUTE_MS
/** The part of its age that a payment which may come is left alone. */
const PART = 4

/** What was learned of a payment: it may come, or nothing is known of it that would. */
export type Seen = 'awaited' | 'nothing'

/**
 * How long to leave a payment alone before it is asked for again. What is nothing may be anyone's invention, which costs its inventor
 * nothing: it is asked for eight times in its hour, the last time when that is over.
 * @param ageMs since it was presented
 */
export function lookPauseMs(seen: Seen, ageMs: number): number {
  const pause = seen === 'awaited' ? Math.min(ageMs / PART, LONGEST_PAUSE_MS) : Math.min(ageMs, OVER_MS - ageMs)
  return Math.max(LEAST_PAUSE_MS, Math.ceil(pause))
}
