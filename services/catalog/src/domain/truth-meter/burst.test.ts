import { expect, test } from 'vitest'
import { burst } from './burst.ts'
import { arranged, type PaidEdge } from './paid-edge.ts'

const edge = (payer: string, more: Partial<PaidEdge> = {}): PaidEdge => ({
  ...{ payer, payTo: 's', calls: 60, dust: 0, volume: BigInt(more.calls ?? 60), slots: 2, days: 2, hurried: 48 },
  ...more,
})
const facts = { walletBehind: new Map(), withinSellers: new Set<string>(), settlesFor: new Map() }
const named = (...edges: readonly PaidEdge[]) => [...burst(arranged({ ...facts, edges }))]

test('60 calls on two days, four fifths of them in hurried spells, are a burst, named with the numbers', () => {
  const one = edge('a')
  expect(named(one)).toEqual([[one, { calls: 60, slots: 2 }]])
})

test.each([
  ['fewer calls', { calls: 59 }],
  ['fewer hurried ones', { hurried: 47 }],
  ['calls on a third day', { days: 3 }],
])('%s are no burst', (_what, more) => expect(named(edge('a', more))).toEqual([]))

test('a wallet that also pays another seller makes no burst', () => {
  expect(named(edge('a'), edge('a', { payTo: 't', calls: 1, hurried: 0 }))).toEqual([])
})

test('a seller that gets more than half of its volume from others has customers', () => {
  const others = (calls: number) => edge('b', { calls, hurried: 0, days: 9 })
  expect(named(edge('a'), others(60)).map(([{ payer }]) => payer)).toEqual(['a'])
  expect(named(edge('a'), others(61))).toEqual([])
})

test('bursts of several wallets count together, and each seller is judged separately', () => {
  const made = [edge('a'), edge('b'), edge('c', { calls: 120, hurried: 0 }), edge('d', { payTo: 't', days: 9 })]
  expect(named(...made).map(([{ payer }]) => payer)).toEqual(['a', 'b'])
})
