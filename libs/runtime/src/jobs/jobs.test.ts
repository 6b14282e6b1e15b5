import type { Notifications, Wake } from '@callboard/store'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AnyContext } from '../context.ts'
import { Readiness } from '../health/readiness.ts'
import { whenWoken } from './jobs.ts'

const MINUTE = 60_000

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => vi.useRealTimers())

interface Notified {
  readonly arrive: boolean
  readonly sweepMs: number
}

/** A job, its wake function, and how often it polled. */
function run(look: () => Promise<number | undefined>, { arrive = true, sweepMs }: Partial<Notified> = {}) {
  const wakes: Wake[] = []
  const notifications = {
    arrive,
    subscribe: (_channel: string, wake: Wake) => {
      wakes.push(wake)
      return () => wakes.splice(wakes.indexOf(wake), 1)
    },
  } as unknown as Notifications
  const counted = { looks: 0 }
  const job = whenWoken<AnyContext>(
    'look',
    () => ({ channels: ['things'], pollMs: 1_000, ...(sweepMs ? { sweepMs } : {}) }),
    () => {
      counted.looks += 1
      return look()
    },
  )
  const said = { metrics: { jobRuns: { inc() {} } }, log: { error() {} }, readiness: new Readiness() }
  const ctx = { name: 'test', notifications, ...said }
  const stopping = new AbortController()
  const ended = job.run(ctx as unknown as AnyContext, stopping.signal)
  const stop = async () => {
    stopping.abort()
    await vi.advanceTimersByTimeAsync(0)
    await ended
  }
  return { counted, wake: (...cause: Parameters<Wake>) => wakes.map((wake) => wake(...cause)), wakes, stop }
}

test('while nothing is due a job polls on the sweep alone: at most three times a minute', async () => {
  const { counted, stop } = run(async () => undefined)
  await vi.advanceTimersByTimeAsync(MINUTE)
  expect(counted.looks).toBeGreaterThanOrEqual(2)
  expect(counted.looks).toBeLessThanOrEqual(3)
  await stop()
})

test('a job with a longer sweep polls correspondingly less often', async () => {
  const { counted, stop } = run(async () => undefined, { sweepMs: 10 * MINUTE })
  await vi.advanceTimersByTimeAsync(7 * MINUTE)
  expect(counted.looks).toBe(1)
  await vi.advanceTimersByTimeAsync(6 * MINUTE)
  expect(counted.looks).toBe(2)
  await stop()
})

test('a notification wakes it at once; more within the poll interval wake it only once', async () => {
  const { counted, wake, stop } = run(async () => undefined)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(counted.looks).toBe(1)
  for (let n = 0; n < 10; n += 1) wake('notified')
  await vi.advanceTimersByTimeAsync(0)
  expect(counted.looks).toBe(2)
  for (let n = 0; n < 10; n += 1) wake('notified')
  await vi.advanceTimersByTimeAsync(0)
  expect(counted.looks).toBe(2)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(counted.looks).toBe(3)
  await stop()
})

test('a notification that arrives during a poll causes another one after it', async () => {
  const looking = Promise.withResolvers<undefined>()
  const { counted, wake, stop } = run(() => looking.promise)
  wake('notified')
  looking.resolve(undefined)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(counted.looks).toBe(2)
  await stop()
})

test('it sleeps until the next due time', async () => {
  const { counted, stop } = run(async () => 7_000)
  await vi.advanceTimersByTimeAsync(6_999)
  expect(counted.looks).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(counted.looks).toBe(2)
  await stop()
})

test('while notifications do not arrive it polls on every interval', async () => {
  const { counted, stop } = run(async () => undefined, { arrive: false })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(counted.looks).toBe(11)
  await stop()
})

test('a check that throws is repeated after the poll interval', async () => {
  const { counted, stop } = run(async () => {
    throw new Error('no')
  })
  await vi.advanceTimersByTimeAsync(3_000)
  expect(counted.looks).toBe(4)
  await stop()
})

test('a stop wakes it and ends its subscriptions', async () => {
  const { wakes, stop } = run(async () => undefined)
  await stop()
  expect(wakes).toEqual([])
})
