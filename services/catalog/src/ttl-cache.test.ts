import { fakeClock } from '@callboard/testkit'
import { expect, test } from 'vitest'
import { ttlCache } from './ttl-cache.ts'

test('concurrent callers share one result, and it is made again after its time', async () => {
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

test('a clock that steps back does not extend the time for which a result is cached', async () => {
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

test('a failed result is not cached', async () => {
  const keep = ttlCache<string, number>(1_000, fakeClock(0))
  await expect(keep('a', () => Promise.reject(new Error('unavailable')))).rejects.toThrow('unavailable')
  expect(await keep('a', async () => 1)).toBe(1)
})
