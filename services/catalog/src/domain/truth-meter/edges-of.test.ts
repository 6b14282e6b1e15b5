import { expect, test } from 'vitest'
import { edgesOf, type PaidCall } from './edges-of.ts'

const SLOT = 600_000
const call = (atMs: number, more: Partial<PaidCall> = {}): PaidCall => ({
  ...{ payer: 'a', payTo: 's', atMs, volume: 10n, isDust: false },
  ...more,
})
const some = (count: number, atMs: number) => Array.from({ length: count }, () => call(atMs))

test('calls are counted by their ends, in the order in which those came', () => {
  const edges = edgesOf([call(0), call(0, { payer: 'b' }), call(1), call(2, { payTo: 't' })])
  expect(edges.map(({ payer, payTo, calls }) => [payer, payTo, calls])).toEqual([
    ['a', 's', 2],
    ['b', 's', 1],
    ['a', 't', 1],
  ])
})

test('of an edge: calls, those below the floor, volume, spells and days', () => {
  const day = 86_400_000
  const made = [call(0), call(SLOT - 1, { isDust: true, volume: 1n }), call(SLOT), call(day - 1), call(day)]
  expect(edgesOf(made)).toEqual([
    { payer: 'a', payTo: 's', calls: 5, dust: 1, volume: 41n, slots: 4, days: 2, hurried: 0 },
  ])
})

test('calls are hurried where their spell has 25 or more', () => {
  expect(edgesOf([...some(24, 0), ...some(25, SLOT), ...some(30, 5 * SLOT)])[0]?.hurried).toBe(55)
})

test('of no calls there is no edge', () => expect(edgesOf([])).toEqual([]))
