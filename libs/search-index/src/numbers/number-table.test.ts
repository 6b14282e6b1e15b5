import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NumberTable } from './number-table.ts'

/** A few small numbers, and multiples of a power of two, which a poor spread would put into one cell. */
const number = fc.oneof(
  fc.nat(40),
  fc.nat(40).map((one) => one * 2 ** 20),
  fc.nat(2 ** 31 - 2),
)
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ number, value: fc.nat(1_000) }) },
  fc.record({ number, value: fc.constant(undefined) }),
)

test('a number table holds what a Map holds, after any insertions and deletions', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300, size: 'max' }), (steps) => {
      const table = new NumberTable()
      const plain = new Map<number, number>()
      for (const { number: key, value } of steps) {
        if (value === undefined) {
          table.delete(key)
          plain.delete(key)
        } else {
          table.set(key, value)
          plain.set(key, value)
        }
      }
      expect(table.size).toBe(plain.size)
      for (const { number: key } of steps) expect(table.get(key)).toBe(plain.get(key) ?? -1)
    }),
  )
})
