import { fakeClock } from '@callboard/testkit'
import { expect, test } from 'vitest'
import { ttlCache } from './ttl-cache.ts'

test('one making for everyone who asks meanwhile, and again after the time', async () => {
  const clock = fakeClock(0)
  const keep = ttlCache<string, number>(1_000, clock)
  let made = 0
  const make = async () => ++made
  expect(await Promise.all([keep('a', make), keep('a', make), keep('b', make)])).toEqual([1, 1, 2])
  clock.advance(999)
  expect(await keep('a', make)).toBe(1)
  clock.advance(1)
  expect(await keep('a', make)).toBe(3)
})

test('an answer is kept no longer because the clock stepped back', async () => {
  const clock = fakeClock(3_600_000)
  const keep = ttlCache<string, number>(1_000, clock)
  let made = 0
  const make = async () => ++made
  expect(await keep('a', make)).toBe(1)
  clock.advance(-3_000_000)
  expect(await keep('a', make)).toBe(2)
  clock.advance(999)
  expect(await keep('a', make)).toBe(2)
})

test('what failed is not kept', async () => {
  const keep = ttlCache<string, number>(1_000, fakeClock(0))
  await expect(keep('a', () => Promise.reject(new Error('unavailable')))).rejects.toThrow('unavailable')
  expect(await keep('a', async () => 1)).toBe(1)
})
