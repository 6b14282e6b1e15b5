import { expect, test } from 'vitest'
import { batchByTurn } from './batch-by-turn.ts'

/** Doubles numbers in batches of two; a batch with a negative number fails. Turns end when the test says so. */
function doubling() {
  const batches: (readonly number[])[] = []
  const ends: (() => void)[] = []
  const double = batchByTurn(
    async (numbers: readonly number[]) => {
      batches.push(numbers)
      if (numbers.some((number) => number < 0)) throw new RangeError(`below zero: ${numbers.join(' ')}`)
      return numbers.map((number) => 2 * number)
    },
    { most: 2, endOfTurn: (leave) => ends.push(leave) },
  )
  return { double, batches, endTurn: () => ends.shift()?.(), ends }
}

test('default: the calls of a turn share a batch and each gets its own answer', async () => {
  const { double, batches, endTurn } = doubling()
  const answers = [double(3), double(4)]
  expect(batches).toEqual([])
  endTurn()
  expect(batches).toEqual([[3, 4]])
  expect(await Promise.all(answers)).toEqual([6, 8])
})

test('behavior: more than the most of a batch leave in several, at once', async () => {
  const { double, batches, endTurn } = doubling()
  const answers = [1, 2, 3, 4, 5].map(double)
  endTurn()
  expect(batches).toEqual([[1, 2], [3, 4], [5]])
  expect(await Promise.all(answers)).toEqual([2, 4, 6, 8, 10])
})

test('behavior: a call of the next turn does not wait for the batch of this one', async () => {
  const { double, batches, endTurn, ends } = doubling()
  const first = double(1)
  endTurn()
  const second = double(2)
  expect(ends).toHaveLength(1)
  endTurn()
  expect(batches).toEqual([[1], [2]])
  expect(await Promise.all([first, second])).toEqual([2, 4])
})

test('error: a batch that fails fails its own calls only', async () => {
  const { double, endTurn } = doubling()
  const answers = [1, -2, 3].map(double)
  endTurn()
  expect(await Promise.allSettled(answers)).toEqual([
    { status: 'rejected', reason: new RangeError('below zero: 1 -2') },
    { status: 'rejected', reason: new RangeError('below zero: 1 -2') },
    { status: 'fulfilled', value: 6 },
  ])
})
