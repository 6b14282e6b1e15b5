import { expect, test } from 'vitest'
import { onePayer } from './one-payer.ts'
import { arranged, type PaidEdge } from './paid-edge.ts'

const edge = (payer: string, calls: number, payTo = 's', price = 10n): PaidEdge => ({
  ...{ payer, payTo, calls, dust: 0, volume: BigInt(calls) * price, slots: 1, days: 1, hurried: 0 },
})
const facts = { walletBehind: new Map(), withinSellers: new Set<string>(), settlesFor: new Map() }
const named = (...edges: readonly PaidEdge[]) => [...onePayer(arranged({ ...facts, edges }))]
/** Wallets that also pay another seller. */
const customers = (count: number, each: number) =>
  Array.from({ length: count }, (_, at) => [
    edge(`customer-${at}`, each),
    edge(`customer-${at}`, 1, 'elsewhere'),
  ]).flat()

test('a wallet whose 40 calls are nine tenths of the seller’s volume and of its own is named, with both numbers', () => {
  const one = edge('a', 45)
  expect(named(edge('b', 5), one, edge('a', 5, 't'))).toEqual([[one, { calls: 45, share: 0.9 }]])
  expect(named(edge('a', 40))).toHaveLength(1)
})

test.each<[string, readonly PaidEdge[]]>([
  ['39 calls', [edge('a', 39)]],
  ['less than nine tenths of the seller’s volume', [edge('a', 89), edge('b', 10)]],
  ['less than nine tenths of its own calls', [edge('a', 89), edge('a', 10, 't')]],
])('%s: is not named', (_what, edges) => expect(named(...edges)).toEqual([]))

test.each<[string, readonly PaidEdge[]]>([
  ['four customers', [edge('a', 100), ...customers(4, 1)]],
  ['five that bring less than 1.5 % of the volume', [edge('a', 329), ...customers(5, 1)]],
  ['others whose calls are worth next to nothing', [edge('a', 100), edge('b', 100, 's', 1n), edge('c', 900, 's', 0n)]],
  ['what the busiest pays others, if that is next to nothing', [edge('a', 100), edge('a', 100, 't', 1n)]],
  ['five that pay no other seller', [edge('a', 100), ...[1, 2, 3, 4, 5].map((at) => edge(`b${at}`, 1))]],
  ['four and the busiest itself', [edge('a', 100), edge('a', 1, 't'), ...customers(4, 1)]],
])('a seller is not cleared by %s', (_what, edges) => {
  expect(named(...edges).map(([{ payer, payTo }]) => [payer, payTo])).toEqual([['a', 's']])
})

test('five customers with exactly 1.5 % of the volume are enough', () => {
  expect(named(edge('a', 985), ...customers(5, 3))).toEqual([])
  expect(named(edge('a', 986), ...customers(5, 3))).toHaveLength(1)
})
