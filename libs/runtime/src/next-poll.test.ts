import { expect, test } from 'vitest'
import { nextPollAt, type PollTimes } from './next-poll.ts'

const at = (times: Partial<PollTimes>): number =>
  nextPollAt({
    ...{ beganAt: 1_000, endedAt: 1_010, dueInMs: undefined, notifiedAt: -Infinity, askedAt: -Infinity },
    ...{ dueAfterMs: 0, pollMs: 100, sweepMs: 30_000, arrive: true },
    ...times,
  })

test('default: where nothing waits it sleeps until the sweep', () => expect(at({})).toBe(31_010))

test('behavior: it sleeps until what is due, and no longer than until the sweep', () => {
  expect(at({ dueInMs: 5_000 })).toBe(6_010)
  expect(at({ dueInMs: 60_000 })).toBe(31_010)
})

test('behavior: a notification is a reason at once, and a beat lies between two looks', () => {
  expect(at({ notifiedAt: 9_000 })).toBe(9_000)
  expect(at({ notifiedAt: 1_020 })).toBe(1_110)
  expect(at({ dueInMs: 0 })).toBe(1_110)
})

test('behavior: a notification during the look is not covered by it, one before it is', () => {
  expect(at({ notifiedAt: 1_005 })).toBe(1_110)
  expect(at({ notifiedAt: 999 })).toBe(31_010)
})

test('behavior: what comes due later than its notification is looked at then, also where a look came too early', () => {
  expect(at({ notifiedAt: 2_000, dueAfterMs: 6_000 })).toBe(8_000)
  expect(at({ notifiedAt: 500, dueAfterMs: 6_000 })).toBe(6_500)
})

test('behavior: where something may have been missed it looks at once, whatever is due later', () => {
  expect(at({ askedAt: 2_000, notifiedAt: 2_000, dueAfterMs: 6_000 })).toBe(2_000)
})

test('behavior: while notifications do not arrive it looks on every beat', () => {
  expect(at({ arrive: false, dueInMs: 9_000 })).toBe(1_110)
})
