import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@callboard/values'
import { expect, test } from 'vitest'
import { FIRST_CHECK_MS, OVER_MS, recheckDelayMs, type Seen } from './recheck-schedule.ts'

/** The ages at which a payment is checked, from the first check to a given age. */
function looks(seen: Seen, untilMs: number): number[] {
  const ages = []
  for (let age = FIRST_CHECK_MS; age <= untilMs; age += recheckDelayMs(seen, age)) ages.push(age)
  return ages
}

test('a top-up without a payment is rechecked at doubling intervals, and for the last time when its hour is over', () => {
  const minutes = looks('nothing', OVER_MS).map((age) => age / MINUTE_MS)
  expect(minutes).toEqual([0.5, 1, 2, 4, 8, 16, 32, 60])
})

test('an awaited top-up is rechecked at least once a minute, however old it is, and never without a pause', () => {
  const ages = looks('awaited', 3 * HOUR_MS)
  const pauses = ages.slice(1).map((age, before) => age - (ages[before] ?? age))
  expect([Math.min(...pauses), Math.max(...pauses)]).toEqual([10 * SECOND_MS, MINUTE_MS])
  expect(recheckDelayMs('awaited', 2 * MINUTE_MS)).toBe(30 * SECOND_MS)
})

test('a clock that jumps back or far ahead leaves the shortest pause', () => {
  expect([recheckDelayMs('awaited', -HOUR_MS), recheckDelayMs('nothing', -HOUR_MS)]).toEqual([10_000, 10_000])
  expect(recheckDelayMs('nothing', 2 * OVER_MS)).toBe(10_000)
})
