import { expect, test } from 'vitest'
import { memoizeBy } from './memoize-by.ts'

test('makes one result per key, once, even where it is undefined', () => {
  const asked: string[] = []
  const lengthOf = memoizeBy(
    (word: string) => {
      asked.push(word)
      return word === '' ? undefined : word.length
    },
    (word) => word.toLowerCase(),
  )
  expect(['Oslo', 'oslo', 'Rome', '', ''].map(lengthOf)).toEqual([4, 4, 4, undefined, undefined])
  expect(asked).toEqual(['Oslo', 'Rome', ''])
})
