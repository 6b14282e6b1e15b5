import { expect, test } from 'vitest'
import { edgesOf, type PaidCall } from './edges-of.ts'

const SLOT = 600_000
const call = (atMs: number, more: Partial<PaidCall> = {}): PaidCall => ({
  ...{ payer: 'a', payTo: 's', atMs, volume: 10n, isDust: false },
  ...more,
})
const some = (count: number, atMs: number) => Array.from({ length: count }, () => call(atMs))

test('calls are counted by payer and payee, in the order in which these pairs appear', () => {
  const edges = edgesOf([call(0), call(0, { payer: 'b' }), call(1), call(2, { payTo: 't' })])
  expect(edges.map(({ payer, payTo, calls }) => [payer, payTo, calls])).toEqual([
    ['a', 's', 2],
    ['b', 's', 1],
    ['a', 't', 1],
  ])
})

test('an edge has its calls, those below the floor, its volume, its spells and its days', () => {
  const day = 86_400_000
  const made = [call(0), call(SLOT - 1, { isDust: true, volume: 1n }), call(SLOT), call(day - 1), call(day)]
  expect(edgesOf(made)).toEqual([
    { payer: 'a', payTo: 's', calls: 5, dust: 1, volume: 41n, slots: 4, days: 2, hurried: 0 },
  ])
})

test('calls are hurried if their spell has 25 or more', () => {
  expect(edgesOf([...some(24, 0), ...some(25, SLOT), ...some(30, 5 * SLOT)])[0]?.hurried).toBe(55)
})

test('without calls there is no edge', () => expect(edgesOf([])).toEqual([]))
