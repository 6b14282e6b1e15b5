import { hash } from 'node:crypto'

export interface Pace {
  readonly PROBE_INTERVAL_MS: number
  readonly PROBE_BACKOFF_MAX_MS: number
}

export interface Checked {
  readonly origin: string
  /** When the check began: intervals count from start to start. */
  readonly startedAt: number
  readonly isFirst: boolean
  readonly consecutiveDown: number
  readonly rateLimited: boolean
  /** The wait that the endpoint itself asks for, capped like that of an endpoint that stays down. */
  readonly retryAfterMs: number | null
  /** A random id of the visit. The endpoints of one visit vary alike, so that they stay together. */
  readonly visit: string
}

/** The first this many failures in a row keep the full pace; each further one doubles the interval. */
const PATIENCE = 3

/**
 * Returns when an endpoint is checked next. The first interval is stretched by the origin's own phase, so that listings
 * that appear together drift apart; later ones vary by a tenth. A 429 doubles it, and `Retry-After` is respected.
 */
export function nextDue(checked: Checked, { PROBE_INTERVAL_MS, PROBE_BACKOFF_MAX_MS }: Pace): number {
  const spread = checked.isFirst ? 1 + shareOf(checked.origin) : 0.9 + 0.2 * shareOf(checked.visit)
  const doublings = Math.min(30, Math.max(0, checked.consecutiveDown - PATIENCE) + (checked.rateLimited ? 1 : 0))
  const longest = Math.max(PROBE_BACKOFF_MAX_MS, PROBE_INTERVAL_MS)
  const interval = Math.min(PROBE_INTERVAL_MS * spread * 2 ** doublings, longest * spread)
  const asked = Math.min(checked.retryAfterMs ?? 0, longest)
  return checked.startedAt + Math.round(Math.max(interval, asked))
}

/** A share of an interval derived from a text, 0 to 1, evenly spread over texts. */
const shareOf = (text: string): number => hash('sha256', text, 'buffer').readUInt32BE() / 2 ** 32
