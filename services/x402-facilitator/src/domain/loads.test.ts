import type { Hex } from '@callboard/values'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assignLanes, inTurns, planLoads } from './loads.ts'

const payment = (id: number, suffix: Hex = '0x', batchable = true) => ({ id, suffix, batchable })
const ids = (loads: { id: number }[][]) => loads.map((load) => load.map(({ id }) => id))

describe('planLoads', () => {
  test('default: fills each load to its maximum, in order of arrival', () => {
    expect(
      ids(
        planLoads(
          [1, 2, 3, 4, 5].map((id) => payment(id)),
          2,
        ),
      ),
    ).toEqual([[1, 2], [3, 4], [5]])
  })

  test('behavior: only payments with the same suffix share a load', () => {
    expect(ids(planLoads([payment(1), payment(2, '0xab'), payment(3), payment(4, '0xab')], 10))).toEqual([
      [1, 3],
      [2, 4],
    ])
  })

  test('behavior: a payment whose payer has code goes alone', () => {
    expect(ids(planLoads([payment(1), payment(2, '0x', false), payment(3)], 10))).toEqual([[1, 3], [2]])
  })

  test('behavior: a payment that follows a payer with code does not join its load', () => {
    expect(ids(planLoads([payment(1, '0x', false), payment(2), payment(3, '0x', false)], 10))).toEqual([[1], [2], [3]])
  })

  test('behavior: each payment goes alone where there are no batches', () => {
    expect(ids(planLoads([payment(1), payment(2)], 1))).toEqual([[1], [2]])
    expect(ids(planLoads([payment(1), payment(2)], 0))).toEqual([[1], [2]])
  })

  test('behavior: every payment is in exactly one load, and no load is too long', () => {
    const some = fc.array(fc.tuple(fc.constantFrom<Hex>('0x', '0xab'), fc.boolean()))
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 5 }), (kinds, most) => {
        const loads = planLoads(
          kinds.map(([suffix, batchable], id) => payment(id, suffix, batchable)),
          most,
        )
        expect(loads.every((load) => load.length <= most)).toBe(true)
        expect(loads.every((load) => new Set(load.map(({ suffix }) => suffix)).size === 1)).toBe(true)
        expect(loads.every((load) => load.length === 1 || load.every(({ batchable }) => batchable))).toBe(true)
        expect(
          ids(loads)
            .flat()
            .sort((a, b) => a - b),
        ).toEqual(kinds.map((_, id) => id))
      }),
    )
  })
})

describe('inTurns', () => {
  const order = (requesters: string) =>
    inTurns(
      [...requesters].map((requester, at) => `${requester}${at}`),
      ([requester = '']) => requester,
    )

  test('default: the first of each requester comes before the second of any', () => {
    expect(order('aaabbc')).toEqual(['a0', 'b3', 'c5', 'a1', 'b4', 'a2'])
  })

  test('behavior: those of one requester stay in their order', () => {
    expect(order('aaa')).toEqual(['a0', 'a1', 'a2'])
    expect(order('')).toEqual([])
  })

  test('behavior: each payment comes once, whoever asked', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c')), (requesters) => {
        const text = requesters.join('')
        expect(order(text).toSorted()).toEqual([...text].map((requester, at) => `${requester}${at}`).toSorted())
      }),
    )
  })
})

describe('assignLanes', () => {
  const [first, second] = [
    '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  ] as const
  const load = { gas: 100n }

  test('default: the least busy account, counting what it was just given', () => {
    const lanes = [
      { address: first, busy: 1, gas: 500n },
      { address: second, busy: 0, gas: 500n },
    ]
    expect(assignLanes([load, load, load], lanes, 4)).toEqual([second, first, second])
  })

  test('behavior: takes the first of two equally busy accounts, and leaves its input unchanged', () => {
    const lanes = [
      { address: first, busy: 0, gas: 500n },
      { address: second, busy: 0, gas: 500n },
    ]
    expect(assignLanes([load, load], lanes, 1)).toEqual([first, second])
    expect(lanes.map(({ busy }) => busy)).toEqual([0, 0])
  })

  test('behavior: a load waits when no account has room for it', () => {
    expect(assignLanes([load, load], [{ address: first, busy: 3, gas: 500n }], 4)).toEqual([first, undefined])
  })

  test('behavior: an account that cannot pay is skipped', () => {
    const lanes = [
      { address: first, busy: 0, gas: 99n },
      { address: second, busy: 2, gas: 100n },
    ]
    expect(assignLanes([load], lanes, 4)).toEqual([second])
    expect(assignLanes([{ gas: 101n }], lanes, 4)).toEqual([undefined])
  })

  test('behavior: a load that names its sender gets that account, or waits for it', () => {
    const lanes = [
      { address: first, busy: 0, gas: 500n },
      { address: second, busy: 3, gas: 500n },
    ]
    const named = { ...load, sender: second }
    expect(assignLanes([named, named, load], lanes, 4)).toEqual([second, undefined, first])
  })
})
