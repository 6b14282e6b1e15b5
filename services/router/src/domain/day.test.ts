import { expect, test } from 'vitest'
import { dayOf, epochOf, resetsAt } from './day.ts'

const FIRST = Date.UTC(2026, 10, 23)
const LAST = FIRST + 86_400_000 - 1

test('dayOf: the UTC day, from its first millisecond to its last', () => {
  expect([FIRST - 1, FIRST, LAST, LAST + 1].map(dayOf)).toEqual([
    '2026-11-22',
    '2026-11-23',
    '2026-11-23',
    '2026-11-24',
  ])
})

test('epochOf: days are counted from 1970-01-01', () => {
  expect([0, 86_399_999, 86_400_000, FIRST, LAST].map(epochOf)).toEqual([0, 0, 1, 20_780, 20_780])
})

test('resetsAt: the first moment of the next day, even at the first moment of this one', () => {
  expect([FIRST, LAST].map(resetsAt)).toEqual(['2026-11-24T00:00:00.000Z', '2026-11-24T00:00:00.000Z'])
})
