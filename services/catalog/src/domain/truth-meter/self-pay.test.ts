import { expect, test } from 'vitest'
import { arranged, type PaidEdge } from './paid-edge.ts'
import { selfPay } from './self-pay.ts'

const edge = (payer: string, payTo: string, calls = 4): PaidEdge => ({
  ...{ payer, payTo, calls, dust: 0, volume: 0n, slots: 1, days: 1, hurried: 0 },
})
const withinSellers = new Set(['t s'])
const named = (...edges: readonly PaidEdge[]) => [
  ...selfPay(arranged({ edges, withinSellers, walletBehind: new Map(), settlesFor: new Map() })),
]

test('a seller pays itself at its address, known or not, or at another address of the same listing', () => {
  const made = [edge('s', 's'), edge('x', 'x'), edge('t', 's')]
  expect(named(...made)).toEqual(made.map((one) => [one, { calls: 4, wallet: one.payer }]))
})

test('three calls are tests, and another seller or an unknown wallet is a customer', () => {
  expect(named(edge('s', 's', 3), edge('t', 's', 3), edge('s', 't'), edge('x', 's'), edge('x', 'y'))).toEqual([])
})
