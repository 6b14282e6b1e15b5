import { SECOND_MS } from '@callboard/values'

/** RFC 8628 §3.5: each `slow_down` adds this much. */
const STEP_S = 5
const MOST_S = 30
/** Clients' timers are not exact. */
export const TOLERANCE_MS = SECOND_MS

export interface Polled {
  /** The last poll that was not too early; null before the first. */
  readonly polledAt: number | null
  readonly intervalSeconds: number
}

/**
 * The effect of polling an undecided grant. The interval counts from the last accepted poll, so that a client with a
 * fixed pace gets out of `slow_down`; the first poll is never too early.
 */
export function poll({ polledAt, intervalSeconds }: Polled, now: number): Polled & { readonly tooEarly: boolean } {
  const tooEarly = polledAt !== null && now - polledAt < intervalSeconds * SECOND_MS - TOLERANCE_MS
  return tooEarly
    ? { tooEarly, polledAt, intervalSeconds: Math.min(intervalSeconds + STEP_S, MOST_S) }
    : { tooEarly, polledAt: now, intervalSeconds }
}
