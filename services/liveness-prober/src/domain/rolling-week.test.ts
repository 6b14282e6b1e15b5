import { DAY_MS } from '@callboard/values'
import { describe, expect, test } from 'vitest'
import { BUCKETS } from './latency-buckets.ts'
import { type DayOfChecks, dayOf, rollingWeek } from './rolling-week.ts'

const NOON = 20_000 * DAY_MS + DAY_MS / 2

function day(daysAgo: number, more: Partial<DayOfChecks>): DayOfChecks {
  const buckets = Array.from({ length: BUCKETS }, () => 0)
  return { day: dayOf(NOON) - daysAgo, checks: 0, ok: 0, neutral: 0, left_out: 0, buckets, ...more }
}

describe('rollingWeek', () => {
  test('default: combines the shares and counts of all days', () => {
    const days = [day(0, { checks: 10, ok: 9 }), day(6, { checks: 10, ok: 10 })]
    expect(rollingWeek(days, NOON)).toMatchObject({ uptime7d: 0.95, checks7d: 20 })
  })

  test('behavior: the oldest day counts by its part within the week, and older ones not at all', () => {
    const days = [day(0, { checks: 10, ok: 10 }), day(7, { checks: 20, ok: 0 }), day(8, { checks: 99, ok: 0 })]
    expect(rollingWeek(days, NOON)).toMatchObject({ uptime7d: 0.5, checks7d: 20 })
  })

  test('behavior: latencies count by the same part of the oldest day, and older ones not at all', () => {
    const at = (bucket: number, count: number) => Array.from({ length: 96 }, (_, here) => (here === bucket ? count : 0))
    const today = day(0, { checks: 3, ok: 3, buckets: at(24, 3) })
    const oldest = (count: number) => day(7, { checks: count, ok: count, buckets: at(72, count) })
    expect(rollingWeek([today], NOON)).toMatchObject({ latencyP50Ms: 10, latencyP95Ms: 10 })
    expect(rollingWeek([today, oldest(4)], NOON)).toMatchObject({ latencyP50Ms: 10, latencyP95Ms: 1_002 })
    expect(rollingWeek([today, oldest(8)], NOON)).toMatchObject({ latencyP50Ms: 1_002 })
    expect(rollingWeek([today, { ...oldest(99), day: oldest(99).day - 1 }], NOON)).toMatchObject({ latencyP95Ms: 10 })
  })

  test('behavior: the share is rounded to four digits', () => {
    expect(rollingWeek([day(0, { checks: 3, ok: 2 })], NOON).uptime7d).toBe(0.6667)
  })

  test('behavior: one failed check of many endpoints is not a whole week', () => {
    // Twenty endpoints, each checked every five minutes.
    const days = [0, 1, 2, 3, 4, 5, 6].map((ago) => day(ago, { checks: 5_760, ok: ago === 3 ? 5_759 : 5_760 }))
    expect(rollingWeek(days, NOON)).toMatchObject({ uptime7d: 0.9999, checks7d: 40_320 })
    expect(rollingWeek([...days.slice(0, 3), ...days.slice(4)], NOON).uptime7d).toBe(1)
    expect(rollingWeek([day(7, { checks: 3, ok: 3 }), day(1, { checks: 7, ok: 7 })], NOON + 12_345).uptime7d).toBe(1)
  })

  test('behavior: checks left out during an outage count as down, but not as checks', () => {
    const days = [day(1, { checks: 288, ok: 288 }), day(0, { checks: 2, left_out: 286 })]
    expect(rollingWeek(days, NOON)).toMatchObject({ uptime7d: 0.5, checks7d: 290 })
    expect(rollingWeek([day(0, { left_out: 5 })], NOON)).toMatchObject({ uptime7d: 0, checks7d: 0 })
    const oldest = day(7, { checks: 1, left_out: 19 })
    expect(rollingWeek([day(0, { checks: 10, ok: 10 }), oldest], NOON)).toMatchObject({ uptime7d: 0.5 })
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
