import { rmSync } from 'node:fs'
import { serverFolder } from '@callboard/testkit/folder'
import { startRedisServer } from '@callboard/testkit/servers'
import { afterEach, expect, inject, test } from 'vitest'
import { type Edge, startEdge } from './edge.ts'

let edge: Edge
afterEach(() => edge.stop())

const metrics = async () => (await fetch(`http://127.0.0.1:${edge.services.adminPort}/metrics`)).text()

test('requests refused by a limit class are counted by class, and a class that refused none shows 0', async () => {
  edge = await startEdge(inject('postgresUrl'), {
    env: { RATE_LIMITS: JSON.stringify({ report: { burst: 2, perMinute: 1 } }) },
  })
  const statuses: number[] = []
  for (let n = 0; n < 5; n += 1) {
    const answer = await fetch(`${edge.base}/api/support/reports`, { method: 'POST' })
    await answer.arrayBuffer()
    statuses.push(answer.status)
  }
  expect(statuses.filter((status) => status === 429)).toHaveLength(3)
  const text = await metrics()
  expect(text).toMatch(/^callboard_limits_refused_total\{class="report"\} 3$/m)
  expect(text).toMatch(/^callboard_limits_refused_total\{class="guesses"\} 0$/m)
  expect(text).not.toMatch(/^callboard_redis_/m)
})

test.runIf(inject('redisUrl'))('the memory that Redis uses is shown, with its limit', async () => {
  const dataDir = serverFolder('callboard-redis-')
  const redis = await startRedisServer({ dataDir, args: ['--maxmemory', '20mb'] })
  try {
    edge = await startEdge(inject('postgresUrl'), { env: { REDIS_URL: redis.url } })
    const text = await metrics()
    expect(text).toMatch(/^callboard_redis_memory_bytes [1-9]\d{5,}$/m)
    expect(text).toMatch(/^callboard_redis_memory_limit_bytes 20971520$/m)
    expect(text).toMatch(/^callboard_redis_evicted_keys 0$/m)
  } finally {
    await edge.services.stop()
    await redis.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
