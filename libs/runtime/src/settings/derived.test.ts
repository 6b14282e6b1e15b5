import { expect, test } from 'vitest'
import { derived } from './derived.ts'

test('derived: computed once per value; a failed computation keeps the previous results', () => {
  let value = 1
  const made: number[] = []
  const current = derived(
    () => value,
    (one) => {
      if (one === 2) throw new Error('not this one')
      made.push(one)
      return one * 10
    },
  )
  expect([current(), current()]).toEqual([10, 10])
  value = 2
  expect(current).toThrow('not this one')
  value = 3
  expect([current(), current()]).toEqual([30, 30])
  expect(made).toEqual([1, 3])
})
