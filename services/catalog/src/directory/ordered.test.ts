import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { END, Ordered, type Walk } from './ordered.ts'
import { union } from './union.ts'

const rest = (walk: Walk): number[] => {
  const items: number[] = []
  for (; walk.item !== END; walk.advance()) items.push(walk.item)
  return items
}
const falling = (a: number, b: number) => b - a
const item = fc.nat(5_000)
const many = fc.uniqueArray(item, { minLength: 0, maxLength: 3_000, size: 'max' })

describe('Ordered', () => {
  test('holds what was put in and not taken out, in its order, however it came', () => {
    fc.assert(
      fc.property(many, fc.integer({ min: 1, max: 9 }), (items, some) => {
        const isTaken = (one: number) => one % some === 0
        const ordered = new Ordered(falling)
        for (const one of items) ordered.add(one)
        const kept = items.filter((one) => !isTaken(one))
        for (const one of items.filter(isTaken)) ordered.remove(one)
        expect([...ordered]).toEqual(kept.toSorted(falling))
        expect(ordered.size).toBe(kept.length)
      }),
      { numRuns: 30 },
    )
  })

  test('takes what was appended in order as if it had been added', () => {
    fc.assert(
      fc.property(many, item, (items, one) => {
        const ordered = new Ordered(falling)
        for (const appended of items.filter((other) => other !== one).toSorted(falling)) ordered.append(appended)
        ordered.add(one)
        expect([...ordered]).toEqual([...new Set([...items, one])].toSorted(falling))
      }),
      { numRuns: 30 },
    )
  })

  test('walks from the first item that does not come before a place', () => {
    fc.assert(
      fc.property(many, item, (items, place) => {
        const ordered = new Ordered(falling)
        for (const one of items) ordered.add(one)
        const expected = items.filter((one) => one <= place).toSorted(falling)
        expect(rest(ordered.walk((one) => place - one))).toEqual(expected)
      }),
      { numRuns: 50 },
    )
  })

  test('stays in blocks of a bounded number while items move about', () => {
    const places = new Map<number, number>()
    const ordered = new Ordered((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0))
    for (let one = 0; one < 2_000; one += 1) {
      places.set(one, one)
      ordered.add(one)
    }
    for (let move = 0; move < 20_000; move += 1) {
      const one = (move * 7) % 2_000
      ordered.remove(one)
      places.set(one, 2_000 + move)
      ordered.add(one)
    }
    expect([...ordered]).toEqual([...places.keys()].sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0)))
  })

  test('error: an item that is not in is not taken out', () => {
    const ordered = new Ordered(falling)
    ordered.add(1)
    expect(() => ordered.remove(2)).toThrow('not where its order says')
  })
})

test('union: walks through several orders as one, and meets what is in many once', () => {
  const orders = fc.array(fc.uniqueArray(fc.nat(60), { maxLength: 40 }), { maxLength: 12 })
  fc.assert(
    fc.property(orders, (lists) => {
      const walks = lists.map((list) => {
        const ordered = new Ordered(falling)
        for (const one of list) ordered.add(one)
        return ordered.walk()
      })
      expect(rest(union(walks, falling))).toEqual([...new Set(lists.flat())].sort(falling))
    }),
  )
})
