import { expect, test } from 'vitest'
import { IdleWaits } from './idle-waits.ts'

const begun = (waits: IdleWaits, network: string | null, times: number) =>
  Array.from({ length: times }, () => waits.begin(network)).filter((end) => end !== undefined)

test('a network has 64 of the waits, and all together have 128', () => {
  const waits = new IdleWaits()
  expect(begun(waits, '192.0.2.0/24', 70)).toHaveLength(64)
  expect(begun(waits, '198.51.100.0/24', 40)).toHaveLength(40)
  expect(begun(waits, null, 40)).toHaveLength(24)
  expect(begun(waits, '203.0.113.0/24', 1)).toHaveLength(0)
})

test('a wait that ends leaves its place, to its network and to all', () => {
  const waits = new IdleWaits()
  for (let round = 0; round < 3; round += 1) {
    const ends = begun(waits, '192.0.2.0/24', 65)
    expect(ends).toHaveLength(64)
    for (const end of ends) end()
  }
  expect(begun(waits, null, 129)).toHaveLength(128)
})
