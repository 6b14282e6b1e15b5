import { expect, test } from 'vitest'
import { callsIn, paidCalls, percentOf } from './observed.ts'

const calls = (calls: number, volumeUsd: string, [count, left]: readonly [number, string]) => ({
  ...{ calls, volumeUsd },
  surviving: { count, volumeUsd: left },
})

test.each([
  ['no call', calls(0, '0', [0, '0']), 'none'],
  ['one call', calls(1, '0.01', [1, '0.01']), '1 call for 0.01 USD'],
  [
    'calls of which some were invented',
    calls(12, '0.12', [9, '0.09']),
    '12 calls for 0.12 USD; without dust and signs of invented volume, 9 for 0.09 USD',
  ],
  [
    'calls that were all invented',
    calls(12, '0.12', [0, '0']),
    '12 calls for 0.12 USD; without dust and signs of invented volume, none',
  ],
])('%s', (_what, sums, words) => {
  expect(paidCalls(sums)).toBe(words)
})

test('the days of a week are added up exactly, and what survives apart', () => {
  const day = (...sums: Parameters<typeof calls>) => ({ start: '2026-11-20T00:00:00.000Z', ...calls(...sums) })
  const days = [day(1, '0.1', [1, '0.1']), day(2, '0.2', [0, '0']), day(1, '0.000000000000000001', [1, '0.05'])]
  expect(callsIn(days)).toEqual(calls(4, '0.300000000000000001', [2, '0.15']))
  expect(callsIn([])).toEqual(calls(0, '0', [0, '0']))
})

test.each([
  [0.5, 50],
  [0.999, 99],
  [0.001, 1],
])('the share of one of several wallets is never all or nothing: %d', (share, percent) => {
  expect(percentOf(share)).toBe(percent)
})
