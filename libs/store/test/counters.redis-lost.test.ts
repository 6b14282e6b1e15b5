import { rmSync } from 'node:fs'
import { until } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { startRedisServer } from '@callboard/testkit/servers'
import { Redis } from 'ioredis'
import { describe, expect, inject, test } from 'vitest'
import { isOutage, redisCounters } from '../src/index.ts'
import { wayTo } from './way-to.ts'

describe.runIf(inject('redisUrl'))('counters that lose their Redis', () => {
  test('fail fast after a short while, count the loss, and work again when Redis is back', async () => {
    const dataDir = temporaryFolder('callboard-redis-lost-')
    const server = await startRedisServer({ dataDir, durable: true })
    const counters = redisCounters(server.url, () => {})
    expect(await counters.raise('epoch', 7, 60_000)).toBe(7)
    const before = counters.losses()

    await server.stop()
    const failing = async () => {
      const began = performance.now()
      const error = await counters.number('epoch').then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      return { error, tookMs: performance.now() - began }
    }
    const first = await failing()
    expect(isOutage(first.error)).toBe(true)
    expect(first.tookMs).toBeLessThan(1_500)
    const takes = Array.from({ length: 3 }, () => counters.take('rate', { burst: 1, perMinute: 1 }))
    const thrown = (await Promise.allSettled(takes)).map((take) => take.status === 'rejected' && isOutage(take.reason))
    expect(thrown).toEqual([true, true, true])
    await until('no command waits any more', async () => (await failing()).tookMs < 20)
    expect(counters.losses()).toBeGreaterThan(before)

    const again = await startRedisServer({ dataDir, port: server.port, durable: true })
    await until('it is back', async () => (await counters.number('epoch')) === 7)
    const after = counters.losses()
    expect(await counters.raise('epoch', 8, 60_000)).toBe(8)
    expect(counters.losses()).toBe(after)
    await counters.close()
    await again.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('go to the new primary when theirs becomes a replica and closes no connection', async () => {
    const folders = [temporaryFolder('callboard-redis-first-'), temporaryFolder('callboard-redis-next-')] as const
    const [first, next] = await Promise.all(folders.map((dataDir) => startRedisServer({ dataDir })))
    if (!first || !next) throw new Error('There are no servers.')
    const way = await wayTo(first.port)
    const counters = redisCounters(`redis://127.0.0.1:${way.port}`, () => {})
    const rate = { burst: 1, perMinute: 1 }
    expect(await counters.raise('epoch', 7, 60_000)).toBe(7)
    const operator = new Redis(first.url)
    await operator.replicaof('127.0.0.1', String(next.port))
    way.leadTo(next.port)
    const refusals = await Promise.allSettled([
      counters.ping(),
      counters.take('rate', rate),
      counters.putOnce('a', 'b', 1),
    ])
    expect(refusals.map((one) => one.status === 'rejected' && isOutage(one.reason))).toEqual([true, true, true])
    await until('it counts again', () =>
      counters.take('rate', rate).then(
        ({ allowed }) => allowed,
        () => false,
      ),
    )
    expect((await counters.take('rate', rate)).allowed).toBe(false)
    await counters.close()
    operator.disconnect()
    way.close()
    await Promise.all([first.stop(), next.stop()])
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  test('connect anew when its machine vanishes and closes no connection', async () => {
    const dataDir = temporaryFolder('callboard-redis-vanished-')
    const server = await startRedisServer({ dataDir })
    const way = await wayTo(server.port)
    const counters = redisCounters(`redis://127.0.0.1:${way.port}`, () => {})
    expect(await counters.raise('epoch', 7, 60_000)).toBe(7)
    const before = counters.losses()
    way.vanish()
    await until('it answers again', async () => (await counters.number('epoch')) === 7)
    expect(counters.losses()).toBeGreaterThan(before)
    await counters.close()
    way.close()
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
})
