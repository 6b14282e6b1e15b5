import { expect, test } from 'vitest'
import { HURRIED_CALLS, SLOT_MS, WEEK_MS, weekOf } from './week.ts'

const MONDAY = Date.UTC(2026, 10, 23)

test('weekOf: a week runs from Monday’s first millisecond to Sunday’s last, UTC', () => {
  const nextMonday = Date.UTC(2026, 10, 30)
  expect([MONDAY - 1, MONDAY, nextMonday - 1, nextMonday].map(weekOf)).toEqual([
    ...[Date.UTC(2026, 10, 16), MONDAY, MONDAY, nextMonday],
  ])
  expect([weekOf(Date.UTC(1970, 0, 5)), weekOf(0)]).toEqual([Date.UTC(1970, 0, 5), Date.UTC(1969, 11, 29)])
})

test('a week has seven days, a spell ten minutes, and 25 calls in one are hurried', () => {
  expect([WEEK_MS, SLOT_MS, HURRIED_CALLS]).toEqual([604_800_000, 600_000, 25])
})
