import { expect, test } from 'vitest'
import { freshWallets } from './fresh-wallets.ts'
import { arranged, type PaidEdge } from './paid-edge.ts'

const edge = (payer: string, calls: number, payTo = 's', price = 10n): PaidEdge => ({
  ...{ payer, payTo, calls, dust: 0, volume: BigInt(calls) * price, slots: 1, days: 1, hurried: 0 },
})
const facts = { walletBehind: new Map(), withinSellers: new Set<string>(), settlesFor: new Map() }
const named = (...edges: readonly PaidEdge[]) => [...freshWallets(arranged({ ...facts, edges }))]
const fresh = (count: number, calls = 3) => Array.from({ length: count }, (_, at) => edge(`new-${at}`, calls))

test('25 wallets with 75 % of a seller’s volume that pay no other seller are named, with both numbers', () => {
  const wallets = fresh(25)
  expect(named(...wallets, edge('old', 25))).toEqual(wallets.map((one) => [one, { wallets: 25, share: 0.75 }]))
})

test.each<[string, readonly PaidEdge[]]>([
  ['24 wallets', fresh(24)],
  ['24 wallets beside one that stays', [...fresh(24), edge('old', 6)]],
  ['25 wallets with less than 75 % of the volume', [...fresh(25), edge('old', 26)]],
  ['25 wallets whose calls are worth nothing', Array.from({ length: 25 }, (_, at) => edge(`new-${at}`, 3, 's', 0n))],
  ['25 wallets, one of which pays another seller too', [...fresh(25), edge('new-0', 1, 't')]],
  ['wallets with six calls', fresh(40, 6)],
])('%s are not named', (_what, edges) => expect(named(...edges)).toEqual([]))

test('wallets with five calls are named', () => expect(named(...fresh(25, 5))).toHaveLength(25))

test('each seller is judged separately', () => {
  const others = Array.from({ length: 24 }, (_, at) => edge(`other-${at}`, 1, 't'))
  expect(named(...others, ...fresh(26)).map(([{ payTo }]) => payTo)).toEqual(Array(26).fill('s'))
})
