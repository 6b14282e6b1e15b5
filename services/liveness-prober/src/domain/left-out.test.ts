import { HOUR_MS, MINUTE_MS } from '@callboard/values'
import { expect, test } from 'vitest'
import { type Following, leftOut } from './left-out.ts'

const INTERVAL_MS = 5 * MINUTE_MS

const after = (pausedMs: number, more: Partial<Following> = {}) =>
  leftOut(
    {
      ...{ verdict: 'down', startedAt: pausedMs, dueAt: pausedMs },
      ...{ before: { verdict: 'down', checkedAt: 0 }, ...more },
    },
    INTERVAL_MS,
  )

test('default: a pause between two downs stands for the checks of a regular schedule', () => {
  expect([4.5, 5.5, 10, 20, 60].map((minutes) => after(minutes * MINUTE_MS))).toEqual([0, 0, 1, 3, 11])
  expect(after(24 * HOUR_MS)).toBe(287)
})

test('behavior: what nobody knows counts for nothing', () => {
  for (const verdict of ['up', 'neutral'] as const) {
    expect(after(HOUR_MS, { verdict })).toBe(0)
    expect(after(HOUR_MS, { before: { verdict, checkedAt: 0 } })).toBe(0)
  }
  expect(after(HOUR_MS, { before: undefined })).toBe(0)
})

test('behavior: the time while the prober itself was away does not count', () => {
  expect(after(HOUR_MS, { startedAt: 24 * HOUR_MS })).toBe(11)
  expect(after(HOUR_MS, { startedAt: 10 * MINUTE_MS })).toBe(1)
})
