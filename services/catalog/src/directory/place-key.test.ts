import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeKey, standpointOf } from './place-key.ts'

const standpoint = fc.record({
  groupRank: fc.integer({ min: 0, max: 3 }),
  distrust: fc.integer({ min: 0, max: 1000 }),
  staleness: fc.integer({ min: -3_000_000, max: 0 }).map((past) => past + 0),
})

test('a place key rises along group, distrust and staleness, and can be read back', () => {
  fc.assert(
    fc.property(standpoint, standpoint, (a, b) => {
      const inOrder = a.groupRank - b.groupRank || a.distrust - b.distrust || a.staleness - b.staleness
      expect(Math.sign(placeKey(a) - placeKey(b))).toBe(Math.sign(inOrder))
      expect(standpointOf(placeKey(a))).toEqual(a)
      expect(Number.isSafeInteger(placeKey(a))).toBe(true)
    }),
  )
})

test('error: a distrust that is out of range is refused', () => {
  expect(() => placeKey({ groupRank: 0, distrust: 1001, staleness: 0 })).toThrow(RangeError)
})
