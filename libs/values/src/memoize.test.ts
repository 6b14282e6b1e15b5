import { expect, test } from 'vitest'
import { memoize } from './memoize.ts'

function counting(most: number) {
  const made: string[] = []
  const loud = memoize((word: string) => {
    made.push(word)
    return word.toUpperCase()
  }, most)
  return { made, loud }
}

test('default: does not compute the same result twice', () => {
  const { made, loud } = counting(2)
  expect(['a', 'b', 'a', 'b'].map(loud)).toEqual(['A', 'B', 'A', 'B'])
  expect(made).toEqual(['a', 'b'])
})

test('behavior: beyond the limit forgets the oldest result, and nothing else', () => {
  const { made, loud } = counting(2)
  expect(['a', 'b', 'c', 'b', 'c', 'a', 'c', 'b'].map(loud)).toEqual(['A', 'B', 'C', 'B', 'C', 'A', 'C', 'B'])
  expect(made).toEqual(['a', 'b', 'c', 'a', 'b'])
})
