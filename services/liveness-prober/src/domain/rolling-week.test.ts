import { DAY_MS } from '@callboard/values'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BUCKETS, bucketOf, percentile } from './latency-buckets.ts'
import { type DayOfChecks, dayOf, rollingWeek } from './rolling-week.ts'

const NOON = 20_000 * DAY_MS + DAY_MS / 2

function day(daysAgo: number, more: Partial<DayOfChecks>): DayOfChecks {
  const buckets = Array.from({ length: BUCKETS }, () => 0)
  return { day: dayOf(NOON) - daysAgo, checks: 0, ok: 0, neutral: 0, buckets, ...more }
}

describe('rollingWeek', () => {
  test('default: shares and counts of all days', () => {
    const days = [day(0, { checks: 10, ok: 9 }), day(6, { checks: 10, ok: 10 })]
    expect(rollingWeek(days, NOON)).toMatchObject({ uptime7d: 0.95, checks7d: 20 })
  })

  test('behavior: the oldest day counts by the part of it that lies in the week, older ones not at all', () => {
    const days = [day(0, { checks: 10, ok: 10 }), day(7, { checks: 20, ok: 0 }), day(8, { checks: 99, ok: 0 })]
    expect(rollingWeek(days, NOON)).toMatchObject({ uptime7d: 0.5, checks7d: 20 })
  })

  test('behavior: neutral checks are left out', () => {
    expect(rollingWeek([day(0, { checks: 5, ok: 2, neutral: 3 })], NOON)).toMatchObject({ uptime7d: 1, checks7d: 2 })
    expect(rollingWeek([day(0, { checks: 3, neutral: 3 })], NOON)).toEqual({
      uptime7d: 0,
      latencyP50Ms: 0,
      latencyP95Ms: 0,
      checks7d: 0,
    })
  })
})

describe('percentile', () => {
  test('behavior: within 5 % of the exact one, and half a millisecond of rounding, up to 8 s', () => {
    const latency = fc.double({ min: 1, max: 8_000, noNaN: true })
    fc.assert(
      fc.property(fc.array(latency, { minLength: 1, maxLength: 200 }), fc.constantFrom(0.5, 0.95), (samples, share) => {
        const counts = Array.from({ length: BUCKETS }, () => 0)
        for (const sample of samples) counts[bucketOf(sample)] = (counts[bucketOf(sample)] ?? 0) + 1
        const exact = samples.toSorted((a, b) => a - b)[Math.ceil(share * samples.length) - 1] ?? 0
        expect(Math.abs(percentile(counts, share) - exact)).toBeLessThanOrEqual(exact * 0.0501 + 0.5)
      }),
    )
  })

  test('behavior: every latency has a bucket', () => {
    expect([0, 0.2, 1, 1e9].map(bucketOf)).toEqual([0, 0, 0, BUCKETS - 1])
    expect(percentile([], 0.5)).toBe(0)
  })
})
