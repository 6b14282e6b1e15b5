import { expect, test } from 'vitest'
import { memoryCounters } from '../src/index.ts'
import { countersSuite } from './counters.suite.ts'

const shared = memoryCounters()

countersSuite('memory', () => shared)

test('a clock that is set back by two hours refuses nobody for two hours', async () => {
  let now = Date.now()
  const counters = memoryCounters({ now: () => now })
  const rate = { burst: 10, perMinute: 10 }
  expect((await counters.take('key', rate)).allowed).toBe(true)
  now -= 2 * 3_600_000
  expect(await counters.take('key', rate)).toMatchObject({ allowed: false, retryAfterSeconds: 6 })
  now += 6_000
  expect((await counters.take('key', rate)).allowed).toBe(true)
  await counters.close()
})
