import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sorted } from './sorting.ts'

test('sorts as a plain sort does, and breathes', async () => {
  const numbers = fc.array(fc.nat(1_000), { minLength: 0, maxLength: 9_000, size: 'max' })
  await fc.assert(
    fc.asyncProperty(numbers, async (items) => {
      let breaths = 0
      const breathe = async () => {
        breaths += 1
      }
      expect(await sorted(items, (a, b) => a - b, breathe)).toEqual(items.toSorted((a, b) => a - b))
      expect(breaths).toBeGreaterThanOrEqual(Math.floor(items.length / 2_000))
    }),
    { numRuns: 20 },
  )
})
