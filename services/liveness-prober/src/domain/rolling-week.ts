import type { Liveness } from '@callboard/contract'
import { DAY_MS } from '@callboard/values'
import { percentile } from './latency-buckets.ts'

/** The totals of one endpoint's checks of one UTC day. */
export interface DayOfChecks {
  /** Days since the epoch. */
  readonly day: number
  readonly checks: number
  readonly ok: number
  readonly neutral: number
  /** Checks that were left out while it stayed down, see left-out.ts. */
  readonly left_out: number
  /** Latencies of the checks that found it up, see latency-buckets.ts. */
  readonly buckets: readonly number[]
}

export const dayOf = (epochMs: number): number => Math.floor(epochMs / DAY_MS)

/** The first day that overlaps the week. */
export const firstDayOfWeek = (now: number): number => dayOf(now) - 7

/**
 * The last seven days as one liveness. The oldest day counts in proportion to its overlap with the week, so that the
 * figures do not jump at midnight. Neutral checks do not count, in `checks7d` either. Checks that the schedule left out
 * count as down, but not in `checks7d`.
 */
export function rollingWeek(days: readonly DayOfChecks[], now: number): Liveness {
  const oldest = firstDayOfWeek(now)
  const partOfOldest = 1 - (now % DAY_MS) / DAY_MS
  const buckets: number[] = []
  let counted = 0
  let ok = 0
  let leftOut = 0
  for (const day of days) {
    const weight = day.day < oldest ? 0 : day.day === oldest ? partOfOldest : 1
    counted += weight * (day.checks - day.neutral)
    ok += weight * day.ok
    leftOut += weight * day.left_out
    for (const [at, count] of day.buckets.entries()) buckets[at] = (buckets[at] ?? 0) + weight * count
  }
  const checks7d = Math.round(counted)
  if (checks7d === 0) return { uptime7d: 0, latencyP50Ms: 0, latencyP95Ms: 0, checks7d }
  return {
    uptime7d: shareOf(ok, counted + leftOut),
    latencyP50Ms: percentile(buckets, 0.5),
    latencyP95Ms: percentile(buckets, 0.95),
    checks7d,
  }
}

/** Rounded to four digits, but 1 only if no check failed: the checks of many endpoints are tens of thousands. */
const shareOf = (ok: number, of: number): number =>
  ok < of ? Math.min(0.9999, Math.round((ok / of) * 10_000) / 10_000) : 1
