import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callsText, MOST_VOLUME_RANK, NO_USAGE, usageOf, usedSince } from './usage.ts'

const used = (calls: number, volumeUsd = '0') => usageOf({ calls, volumeUsd })

test('the 30 days end today, whatever the hour', () => {
  for (const hour of ['00:00:00.000', '12:30:00.000', '23:59:59.999'])
    expect(usedSince(Date.parse(`2026-11-30T${hour}Z`))).toEqual(new Date('2026-11-01T00:00:00Z'))
})

test.each([
  [0, 0, undefined],
  [1, 1, '1 in 30 days'],
  [99, 99, '99 in 30 days'],
  [100, 100, '100+ in 30 days'],
  [109, 100, '100+ in 30 days'],
  [110, 110, '110+ in 30 days'],
  [1_299, 1_200, '1,200+ in 30 days'],
  [1_045_168, 1_000_000, '1,000,000+ in 30 days'],
])('%i calls are shown as %i', (calls, shown, text) => {
  expect(used(calls).calls).toBe(shown)
  expect(callsText(used(calls))).toBe(text)
})

test.each([
  ['0', 0],
  ['0.999999', 0],
  ['1', 1],
  ['1.99', 1],
  ['2', 2],
  ['511.99', 9],
  ['512', 10],
  ['90071992547409930000', MOST_VOLUME_RANK],
])('a volume of %s has rank %i', (volumeUsd, rank) => {
  expect(used(1, volumeUsd).volumeRank).toBe(rank)
})

test('more calls and more volume are never shown as less', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.nat(), fc.nat(), (calls, more, volume, moreVolume) => {
      const less = used(calls, String(volume))
      const greater = used(calls + more, String(volume + moreVolume))
      expect(greater.calls).toBeGreaterThanOrEqual(less.calls)
      expect(greater.volumeRank).toBeGreaterThanOrEqual(less.volumeRank)
      expect(less.calls).toBeLessThanOrEqual(calls)
      expect(less.calls).toBeGreaterThan(calls * 0.9 - 1)
    }),
  )
})

test('sums that reverts took below zero are no usage', () => {
  expect(used(-1, '-0.01')).toEqual(NO_USAGE)
})
