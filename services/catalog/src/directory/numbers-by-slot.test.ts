import { expect, test } from 'vitest'
import { NumbersBySlot } from './numbers-by-slot.ts'

test('a slot keeps its number however far the slots grow, and has none before', () => {
  const numbers = new NumbersBySlot()
  numbers.set(3, 0.25)
  for (const slot of [1_023, 1_024, 5_000]) numbers.set(slot, slot)
  expect([3, 1_023, 1_024, 4_999, 5_000, 99_999].map((slot) => numbers.at(slot))).toEqual([
    0.25,
    1_023,
    1_024,
    0,
    5_000,
    undefined,
  ])
})
