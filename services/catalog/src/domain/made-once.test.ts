import { expect, test, vi } from 'vitest'
import { madeOnce } from './made-once.ts'

test('a value is made once per object, however often it is requested', () => {
  const make = vi.fn((from: { n: number }) => [from.n])
  const made = madeOnce(make)
  const [one, two] = [{ n: 1 }, { n: 2 }]
  expect(made(one)).toEqual([1])
  expect(made(one)).toBe(made(one))
  expect(made(two)).toEqual([2])
  expect(make).toHaveBeenCalledTimes(2)
})

test('objects that look the same are different objects', () => {
  const made = madeOnce((from: object) => [from])
  expect(made({})).not.toBe(made({}))
})
