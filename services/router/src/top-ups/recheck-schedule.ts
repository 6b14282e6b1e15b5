import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@callboard/values'

/** When a payment that its handler has not credited is first checked: later than most settlements take. */
export const FIRST_CHECK_MS = 30 * SECOND_MS
/** How long a payment with no result may still come: it may be presented again, or was refused only temporarily. */
export const OVER_MS = HOUR_MS

const LEAST_PAUSE_MS = 10 * SECOND_MS
/** The longest that a credit may lag behind its payment. */
const LONGEST_PAUSE_MS = MINUTE_MS
/** A payment that may come is left alone for this fraction of its age. */
const PART = 4

/** What is known of a payment: it may come, or nothing suggests that it will. */
export type Seen = 'awaited' | 'nothing'

/**
 * How long to leave a payment alone before the next check. A payment without any trace may be invented, which costs its
 * inventor nothing: it is checked eight times in its hour, the last time at the end.
 * @param ageMs since it was presented
 */
export function recheckDelayMs(seen: Seen, ageMs: number): number {
  const pause = seen === 'awaited' ? Math.min(ageMs / PART, LONGEST_PAUSE_MS) : Math.min(ageMs, OVER_MS - ageMs)
  return Math.max(LEAST_PAUSE_MS, Math.ceil(pause))
}
