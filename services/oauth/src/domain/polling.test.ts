import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Polled, poll } from './polling.ts'

const fresh: Polled = { polledAt: null, intervalSeconds: 5 }

test('the first poll is never too early', () => {
  expect(poll(fresh, 0)).toEqual({ tooEarly: false, polledAt: 0, intervalSeconds: 5 })
})

test('a poll in time is accepted, with a second of tolerance; an early one adds five seconds and keeps the clock', () => {
  const polled = { polledAt: 10_000, intervalSeconds: 5 }
  expect(poll(polled, 14_000)).toEqual({ tooEarly: false, polledAt: 14_000, intervalSeconds: 5 })
  expect(poll(polled, 13_999)).toEqual({ tooEarly: true, polledAt: 10_000, intervalSeconds: 10 })
})

test('a client that polls at any fixed pace is accepted at least once every half minute plus one of its pauses', () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 40_000 }), (pauseMs) => {
      let state: Polled = fresh
      let acceptedAt = 0
      for (let now = 0; now < 1_200_000; now += pauseMs) {
        const { tooEarly, ...next } = poll(state, now)
        state = next
        if (!tooEarly) acceptedAt = now
        expect(now - acceptedAt).toBeLessThanOrEqual(30_000 + pauseMs)
      }
    }),
    { numRuns: 50 },
  )
})
