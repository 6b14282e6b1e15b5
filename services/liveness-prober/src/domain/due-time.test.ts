import { describe, expect, test } from 'vitest'
import { type Checked, nextDue } from './due-time.ts'

const PACE = { PROBE_INTERVAL_MS: 1_000, PROBE_BACKOFF_MAX_MS: 60_000 }
const checked: Checked = {
  origin: 'https://api.example',
  startedAt: 0,
  isFirst: false,
  consecutiveDown: 0,
  rateLimited: false,
  retryAfterMs: null,
  visit: 'visit',
}
const due = (more: Partial<Checked>) => nextDue({ ...checked, ...more }, PACE)
const names = Array.from({ length: 200 }, (_, index) => `name-${index}`)

describe('nextDue', () => {
  test('default: is an interval from the start of the check, give or take a tenth', () => {
    const all = names.map((visit) => due({ visit }))
    expect(Math.min(...all)).toBeGreaterThanOrEqual(900)
    expect(Math.max(...all)).toBeLessThanOrEqual(1_100)
    expect(new Set(all).size).toBeGreaterThan(100)
  })

  test('behavior: the first interval is extended by the origin’s phase, which all its endpoints share', () => {
    const all = names.map((origin) => due({ origin, isFirst: true }))
    expect(Math.min(...all)).toBeLessThan(1_100)
    expect(Math.max(...all)).toBeGreaterThan(1_900)
    expect(due({ isFirst: true, visit: 'a' })).toBe(due({ isFirst: true, visit: 'b' }))
  })

  test('behavior: the third down in a row keeps the interval, and each further one doubles it, up to the bound', () => {
    const gaps = [3, 4, 5, 6, 40].map((consecutiveDown) => due({ consecutiveDown }))
    const [base = 0] = gaps
    expect(gaps.map((gap) => Math.round(gap / base))).toEqual([1, 2, 4, 8, 60])
  })

  test('behavior: a 429 doubles the interval, and Retry-After is respected up to the bound', () => {
    expect(Math.round(due({ rateLimited: true }) / due({}))).toBe(2)
    expect(due({ rateLimited: true, retryAfterMs: 30_000 })).toBe(30_000)
    expect(due({ retryAfterMs: 9_999_999_000 })).toBe(60_000)
  })
})
