import { expect, test } from 'vitest'
import { arranged, callsOf, type PaidEdge, TEST_CALLS, volumeShare } from './paid-edge.ts'

const edge = (payer: string, payTo: string, calls: number): PaidEdge => ({
  ...{ payer, payTo, calls, dust: 0, volume: 0n, slots: 1, days: 1, hurried: 0 },
})

test('callsOf: returns the sum, and 0 for no edges', () => {
  expect(callsOf([edge('a', 's', 2), edge('b', 's', 5)])).toBe(7)
  expect(callsOf([])).toBe(0)
})

test('volumeShare: is of the volume, however many calls there are, and 0 of none', () => {
  const [one, many] = [edge('a', 's', 1), edge('b', 's', 100)]
  expect(
    volumeShare(
      [{ ...one, volume: 3n }],
      [
        { ...one, volume: 3n },
        { ...many, volume: 1n },
      ],
    ),
  ).toBe(0.75)
  expect(volumeShare([one], [one, many])).toBe(0)
})

test('three calls in two weeks are tests', () => expect(TEST_CALLS).toBe(3))

test('arranged: returns the edges by payer and by payee, and the wallet behind a payee', () => {
  const [one, two, three] = [edge('a', 's', 1), edge('a', 't', 1), edge('b', 's', 1)]
  const facts = { withinSellers: new Set(['a t']), settlesFor: new Map([['a', 2]]) }
  const week = { ...facts, edges: [one, two, three], walletBehind: new Map([['s', 'wallet']]) }
  const { byPayer, byPayee, walletOf, ...rest } = arranged(week)
  expect(rest).toEqual(week)
  expect([byPayer, byPayee]).toEqual([
    new Map([
      ['a', [one, two]],
      ['b', [three]],
    ]),
    new Map([
      ['s', [one, three]],
      ['t', [two]],
    ]),
  ])
  expect([walletOf('s'), walletOf('t')]).toEqual(['wallet', 't'])
})
