import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sorted } from './sorting.ts'

test('sorts as a plain sort does, and yields to the event loop', async () => {
  const numbers = fc.array(fc.nat(1_000), { minLength: 0, maxLength: 9_000, size: 'max' })
  await fc.assert(
    fc.asyncProperty(numbers, async (items) => {
      let yields = 0
      const yieldToEventLoop = async () => {
        yields += 1
      }
      expect(await sorted(items, (a, b) => a - b, yieldToEventLoop)).toEqual(items.toSorted((a, b) => a - b))
      expect(yields).toBeGreaterThanOrEqual(Math.floor(items.length / 2_000))
    }),
    { numRuns: 20 },
  )
})
