import { expect, test } from 'vitest'
import { arranged, type PaidEdge, type PaidWeek } from './paid-edge.ts'
import { ring } from './ring.ts'

const edge = (payer: string, payTo: string, volume: bigint, calls = 10): PaidEdge => ({
  ...{ payer, payTo, calls, dust: 0, volume, slots: 1, days: 1, hurried: 0 },
})
const facts = { walletBehind: new Map(), withinSellers: new Set<string>(), settlesFor: new Map() }
const named = (edges: readonly PaidEdge[], known: Partial<PaidWeek> = {}) =>
  [...ring(arranged({ ...facts, ...known, edges }))].map(([{ payer, payTo }, evidence]) => ({
    ...{ way: payer + payTo, ...evidence },
  }))
const pair = [edge('a', 'b', 700n), edge('b', 'a', 700n)]

test('two wallets that pay each other are a ring, with the share that came from inside', () => {
  expect(named(pair)).toEqual([
    { way: 'ab', members: 2, insideShare: 1 },
    { way: 'ba', members: 2, insideShare: 1 },
  ])
})

test('a member earns at least 70 % of its income inside', () => {
  expect(named([...pair, edge('x', 'a', 300n)])).toEqual([
    { way: 'ab', members: 2, insideShare: 1 },
    { way: 'ba', members: 2, insideShare: 0.7 },
  ])
  expect(named([...pair, edge('x', 'a', 301n)])).toEqual([])
})

test('a member passes on at least half of its inside income', () => {
  const ways = (back: bigint) => named([edge('a', 'b', 1_000n), edge('b', 'a', back)]).map(({ way }) => way)
  expect(ways(500n)).toEqual(['ab', 'ba'])
  expect(ways(499n)).toEqual([])
})

test('fewer than 20 calls within a circle are no ring, and calls from outside do not count', () => {
  const small = [edge('a', 'b', 700n, 10), edge('b', 'a', 700n, 9)]
  expect(named([...small, edge('x', 'a', 1n, 100)])).toEqual([])
  const large = [edge('c', 'd', 700n, 10), edge('d', 'c', 700n, 10)]
  expect(named([...small, ...large]).map(({ way }) => way)).toEqual(['cd', 'dc'])
})

test('a wallet’s payments to itself are income, and no circle', () => {
  expect(named([edge('a', 'a', 700n, 50)])).toEqual([])
  expect(named([...pair, edge('a', 'a', 301n)])).toEqual([])
})

test('a wallet that is not part of a ring is removed, until only members are left', () => {
  const out = [edge('b', 'c', 700n), edge('c', 'a', 200n), edge('x', 'c', 900n)]
  expect(named([...pair, ...out]).map(({ way }) => way)).toEqual(['ab', 'ba'])
})

test('members that only a removed wallet had kept in are removed after it', () => {
  const through = [edge('c', 'a', 900n), edge('a', 'c', 900n)]
  const small = [edge('a', 'b', 100n), edge('b', 'a', 100n)]
  expect(named([...small, ...through])).toHaveLength(4)
  expect(named([...small, ...through, edge('x', 'c', 9_000n)])).toEqual([])
})

test('two circles with a path between them stay two, and the path belongs to neither', () => {
  const other = [edge('c', 'd', 700n), edge('d', 'c', 700n)]
  expect(named([...pair, ...other, edge('a', 'c', 100n)])).toEqual([
    { way: 'ab', members: 2, insideShare: 1 },
    { way: 'ba', members: 2, insideShare: 1 },
    { way: 'cd', members: 2, insideShare: 1 },
    { way: 'dc', members: 2, insideShare: 0.875 },
  ])
})

test('a splitter counts as its wallet', () => {
  const walletBehind = new Map([['splitter', 'a']])
  const made = [edge('a', 'b', 700n), edge('b', 'splitter', 700n)]
  expect(named(made, { walletBehind }).map(({ way }) => way)).toEqual(['ab', 'bsplitter'])
  expect(named(made)).toEqual([])
})

test('a circle in which no money moved is still a circle', () => {
  expect(named([edge('a', 'b', 0n), edge('b', 'a', 0n)])).toEqual([
    { way: 'ab', members: 2, insideShare: 0 },
    { way: 'ba', members: 2, insideShare: 0 },
  ])
})
