import { expect, test } from 'vitest'
import { dust } from './dust.ts'
import { arranged, type PaidEdge } from './paid-edge.ts'

const edge = (payer: string, ofDust: number, payTo = 's'): PaidEdge => ({
  ...{ payer, payTo, calls: 20, dust: ofDust, volume: 0n, slots: 1, days: 1, hurried: 0 },
})
const facts = { walletBehind: new Map(), withinSellers: new Set<string>(), settlesFor: new Map() }
const named = (...edges: readonly PaidEdge[]) => [...dust(arranged({ ...facts, edges }))]

test('ten calls to a seller below the floor are named at each wallet that made some, with their sum', () => {
  const [one, other, none] = [edge('a', 9), edge('b', 1), edge('c', 0)]
  expect(named(one, other, none)).toEqual([
    [one, { calls: 10 }],
    [other, { calls: 10 }],
  ])
})

test('fewer are stray, even if another seller has more', () => {
  expect(named(edge('a', 9), edge('a', 10, 't')).map(([{ payTo }]) => payTo)).toEqual(['t'])
})
