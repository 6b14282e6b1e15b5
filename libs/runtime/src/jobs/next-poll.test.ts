import { expect, test } from 'vitest'
import { nextPollAt, type PollTimes } from './next-poll.ts'

const at = (times: Partial<PollTimes>): number =>
  nextPollAt({
    ...{ beganAt: 1_000, endedAt: 1_010, dueInMs: undefined, notifiedAt: -Infinity, askedAt: -Infinity },
    ...{ dueAfterMs: 0, pollMs: 100, sweepMs: 30_000, arrive: true },
    ...times,
  })

test('default: with nothing due it sleeps until the sweep', () => expect(at({})).toBe(31_010))

test('behavior: it sleeps until the due time, but no longer than until the sweep', () => {
  expect(at({ dueInMs: 5_000 })).toBe(6_010)
  expect(at({ dueInMs: 60_000 })).toBe(31_010)
})

test('behavior: a notification is a reason to poll at once, with the poll interval between two polls', () => {
  expect(at({ notifiedAt: 9_000 })).toBe(9_000)
  expect(at({ notifiedAt: 1_020 })).toBe(1_110)
  expect(at({ dueInMs: 0 })).toBe(1_110)
})

test('behavior: a notification during a poll causes another one; an earlier one does not', () => {
  expect(at({ notifiedAt: 1_005 })).toBe(1_110)
  expect(at({ notifiedAt: 999 })).toBe(31_010)
})

test('behavior: work that falls due after its notification is polled then, even if an earlier poll came too soon', () => {
  expect(at({ notifiedAt: 2_000, dueAfterMs: 6_000 })).toBe(8_000)
  expect(at({ notifiedAt: 500, dueAfterMs: 6_000 })).toBe(6_500)
})

test('behavior: if a notification may have been missed it polls at once, whatever is due later', () => {
  expect(at({ askedAt: 2_000, notifiedAt: 2_000, dueAfterMs: 6_000 })).toBe(2_000)
})

test('behavior: while notifications do not arrive it polls on every interval', () => {
  expect(at({ arrive: false, dueInMs: 9_000 })).toBe(1_110)
})
