import fc from 'fast-check'
import { expect, test } from 'vitest'
import { intersection } from './intersection.ts'
import { Ordered } from './ordered.ts'
import { END, type Walk } from './walk.ts'

const rest = (walk: Walk): number[] => {
  const items: number[] = []
  for (; walk.item !== END; walk.advance()) items.push(walk.item)
  return items
}

const walkOf = (items: readonly number[]): Walk => {
  const ordered = new Ordered()
  for (const item of items) ordered.add(item)
  return ordered.walk()
}

const list = fc.uniqueArray(fc.nat(40), { maxLength: 40 })

test('an intersection walks through the numbers that all orders hold, and seeks like a single walk', () => {
  fc.assert(
    fc.property(list, fc.array(list, { maxLength: 4 }), fc.nat(40), (first, others, place) => {
      const walk = () => intersection([walkOf(first), ...others.map(walkOf)])
      const inAll = first.filter((item) => others.every((other) => other.includes(item))).sort((a, b) => a - b)
      expect(rest(walk())).toEqual(inAll)
      const sought = walk()
      sought.seek(place)
      expect(rest(sought)).toEqual(inAll.filter((item) => item >= place))
    }),
  )
})
