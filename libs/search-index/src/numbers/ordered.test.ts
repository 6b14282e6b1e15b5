import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Ordered } from './ordered.ts'
import { union } from './union.ts'
import { END, type Walk } from './walk.ts'

const rest = (walk: Walk): number[] => {
  const items: number[] = []
  for (; walk.item !== END; walk.advance()) items.push(walk.item)
  return items
}
const ascending = (a: number, b: number) => a - b
const item = fc.nat(5_000)
const many = fc.uniqueArray(item, { minLength: 0, maxLength: 3_000, size: 'max' })

const filled = (items: Iterable<number>): Ordered => {
  const ordered = new Ordered()
  for (const one of items) ordered.add(one)
  return ordered
}

describe('Ordered', () => {
  test('holds what was added and not removed, in ascending order, whatever the order of arrival', () => {
    fc.assert(
      fc.property(many, fc.integer({ min: 1, max: 9 }), (items, some) => {
        const isTaken = (one: number) => one % some === 0
        const ordered = filled(items)
        const kept = items.filter((one) => !isTaken(one)).sort(ascending)
        for (const one of items.filter(isTaken)) ordered.remove(one)
        expect([...ordered]).toEqual(kept)
        expect(ordered.size).toBe(kept.length)
        expect(rest(ordered.walk())).toEqual(kept)
      }),
      { numRuns: 30 },
    )
  })

  test('holds numbers that were appended in order, even twice, as if they had been added', () => {
    fc.assert(
      fc.property(many, item, (items, one) => {
        const ordered = new Ordered()
        for (const appended of items.filter((other) => other !== one).sort(ascending)) {
          ordered.append(appended)
          ordered.append(appended)
        }
        ordered.add(one)
        expect([...ordered]).toEqual([...new Set([...items, one])].sort(ascending))
      }),
      { numRuns: 30 },
    )
  })

  test('walks from a number, and finds the nearest below it and the first that satisfies a predicate', () => {
    fc.assert(
      fc.property(many, item, (items, place) => {
        const ordered = filled(items)
        const above = items.filter((one) => one >= place).sort(ascending)
        expect(rest(ordered.walk(place))).toEqual(above)
        expect(ordered.first((one) => one >= place)).toBe(above[0] ?? END)
        expect(ordered.before(place)).toBe(Math.max(-1, ...items.filter((one) => one < place)))
      }),
      { numRuns: 50 },
    )
  })

  test('seeks forward to the first number that is not below another, and never back', () => {
    fc.assert(
      fc.property(many, fc.array(item, { maxLength: 20 }), (items, sought) => {
        const walk = filled(items).walk()
        let reached = 0
        for (const one of sought) {
          walk.seek(one)
          reached = Math.max(reached, one)
          expect(walk.item).toBe(items.filter((other) => other >= reached).sort(ascending)[0] ?? END)
        }
      }),
      { numRuns: 50 },
    )
  })

  test('error: a number that is not held cannot be removed', () => {
    expect(() => filled([1]).remove(2)).toThrow('is not in')
  })
})

test('union: walks through several orders as one, yields a shared number once, and seeks like one', () => {
  const lists = fc.array(fc.uniqueArray(fc.nat(60), { maxLength: 40 }), { maxLength: 12 })
  fc.assert(
    fc.property(lists, fc.nat(60), (all, place) => {
      const walks = () => all.map((items) => filled(items).walk())
      const together = [...new Set(all.flat())].sort(ascending)
      expect(rest(union(walks()))).toEqual(together)
      const sought = union(walks())
      sought.seek(place)
      expect(rest(sought)).toEqual(together.filter((one) => one >= place))
    }),
  )
})
