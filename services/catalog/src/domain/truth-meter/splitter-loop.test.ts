import { expect, test } from 'vitest'
import { arranged, type PaidEdge } from './paid-edge.ts'
import { splitterLoop } from './splitter-loop.ts'

const edge = (payer: string, payTo: string, calls = 4): PaidEdge => ({
  ...{ payer, payTo, calls, dust: 0, volume: 0n, slots: 1, days: 1, hurried: 0 },
})
const walletBehind = new Map([['splitter', 'wallet']])
const named = (...edges: readonly PaidEdge[]) => [
  ...splitterLoop(arranged({ edges, walletBehind, withinSellers: new Set<string>(), settlesFor: new Map() })),
]

test('four calls from a payout wallet into its own splitter are a loop, named with their number and the wallet', () => {
  const one = edge('wallet', 'splitter')
  expect(named(one)).toEqual([[one, { calls: 4, wallet: 'wallet' }]])
})

test('three calls are tests, and other wallets and payees make no loop', () => {
  expect(named(edge('wallet', 'splitter', 3), edge('x', 'splitter'), edge('wallet', 'wallet'))).toEqual([])
})
