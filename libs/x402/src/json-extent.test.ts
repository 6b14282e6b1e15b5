import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasMoreValues } from './json-extent.ts'

/** Members, objects and lists in a value. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const members = Array.isArray(value) ? 0 : Object.keys(value).length
  return Object.values(value).reduce((sum: number, one) => sum + valuesIn(one), 1 + members)
}

test('counts the members, objects and lists of any JSON, and nothing that is in a text', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (list) => {
      const values = valuesIn(list)
      const bytes = Buffer.from(JSON.stringify(list))
      expect([hasMoreValues(bytes, values), hasMoreValues(bytes, values - 1)]).toEqual([false, true])
    }),
  )
})

test.each(['"{[:', '"\\', '"\\"', '', '"a\\\\":'])('leaves what is not JSON to its parser: %j', (text) => {
  expect(hasMoreValues(Buffer.from(text), 10)).toBe(false)
})
