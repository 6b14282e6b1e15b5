import { expect, test } from 'vitest'
import { keepNewest } from './keep-newest.ts'

function keeping(most: number, ...keys: string[]) {
  const kept = new Map<string, number>()
  for (const [place, key] of keys.entries()) keepNewest(kept, key, place, most)
  return [...kept]
}

test('default: keeps as many as allowed, in the order in which they came', () => {
  expect(keeping(2, 'a', 'b')).toEqual([
    ['a', 0],
    ['b', 1],
  ])
})

test('behavior: beyond the limit drops the oldest, and a repeated key becomes the newest', () => {
  expect(keeping(2, 'a', 'b', 'c')).toEqual([
    ['b', 1],
    ['c', 2],
  ])
  expect(keeping(2, 'a', 'b', 'a', 'c')).toEqual([
    ['a', 2],
    ['c', 3],
  ])
  expect(keeping(3, 'a', 'b', 'a')).toEqual([
    ['b', 1],
    ['a', 2],
  ])
})
