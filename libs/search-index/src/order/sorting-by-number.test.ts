import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sortedByNumber } from './sorting-by-number.ts'

const number = fc.oneof(fc.nat(5), fc.nat(2 ** 31 - 1), fc.integer({ min: 2 ** 31, max: 2 ** 33 }), fc.maxSafeNat())
const thing = fc.record({ number, name: fc.nat(20) })

test('sorts as a plain sort does, by numbers of any length, then ties by the other order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(thing, { maxLength: 200 }), async (things) => {
      const byName = (a: { name: number }, b: { name: number }) => a.name - b.name
      const plain = things.toSorted((a, b) => a.number - b.number || byName(a, b))
      expect(
        await sortedByNumber(
          things,
          (one) => one.number,
          byName,
          async () => {},
        ),
      ).toEqual(plain)
    }),
    { numRuns: 300 },
  )
})

test('sorts many equal items, and yields to the event loop meanwhile', async () => {
  let yields = 0
  const names = Array.from({ length: 9_000 }, (_, index) => (index * 7_919) % 9_001)
  const sorted = await sortedByNumber(
    names,
    () => 7,
    (a, b) => a - b,
    async () => {
      yields += 1
    },
  )
  expect(sorted).toEqual(names.toSorted((a, b) => a - b))
  expect(yields).toBeGreaterThanOrEqual(4)
})
