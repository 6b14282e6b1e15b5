import { expect, test } from 'vitest'
import { facilitatorsOwn } from './facilitators-own.ts'
import { arranged, type PaidEdge } from './paid-edge.ts'

const edge = (payer: string, calls: number): PaidEdge => ({
  ...{ payer, payTo: 's', calls, dust: 0, volume: 0n, slots: 1, days: 1, hurried: 0 },
})
const settlesFor = new Map([
  ['few', 4],
  ['facilitator', 5],
])
const named = (...edges: readonly PaidEdge[]) => [
  ...facilitatorsOwn(arranged({ edges, settlesFor, walletBehind: new Map(), withinSellers: new Set<string>() })),
]

test('four calls of a facilitator that settled for five others are its own, named with both numbers', () => {
  const one = edge('facilitator', 4)
  expect(named(one)).toEqual([[one, { calls: 4, payers: 5 }]])
})

test('three calls are tests, and a payer that settled for fewer others is no facilitator', () => {
  expect(named(edge('facilitator', 3), edge('few', 40), edge('none', 40))).toEqual([])
})
