import { Redis } from 'ioredis'
import { type Counters, gcra, type Rate } from './counters.ts'

/** GCRA on the server's clock: reads the arrival time, decides, writes it back, in one step. */
const TAKE = `
local now = redis.call('TIME')
local ms = now[1] * 1000 + now[2] / 1000
local interval = 60000 / tonumber(ARGV[2])
local arrival = tonumber(redis.call('GET', KEYS[1]) or ms)
local base = math.max(arrival, ms)
local nextArrival = base + interval
if nextArrival - ms <= interval * tonumber(ARGV[1]) + 1e-6 then
  redis.call('SET', KEYS[1], string.format('%.3f', nextArrival), 'PX', math.ceil(nextArrival - ms + 1000))
end
return { string.format('%.3f', ms), string.format('%.3f', arrival) }`

/** What TAKE would read. */
const PEEK = `
local now = redis.call('TIME')
local ms = string.format('%.3f', now[1] * 1000 + now[2] / 1000)
return { ms, redis.call('GET', KEYS[1]) or ms }`

const RAISE = `
local standing = tonumber(redis.call('GET', KEYS[1]) or ARGV[1])
if tonumber(ARGV[1]) > standing then standing = tonumber(ARGV[1]) end
redis.call('SET', KEYS[1], string.format('%d', standing), 'PX', ARGV[2])
return string.format('%d', standing)`

interface Scripts {
  takeRate(key: string, burst: number, perMinute: number): Promise<[string, string]>
  peekRate(key: string): Promise<[string, string]>
  raiseNumber(key: string, value: number, ttlMs: number): Promise<string>
}

/**
 * Counters shared by every replica, in Redis.
 * A command waits at most a second: a store that is away is an answer, too, and the caller decides what it means.
 */
export function redisCounters(url: string, onError: (error: Error) => void): Counters {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    commandTimeout: 1_000,
    enableOfflineQueue: true,
    // What requests ask in the same turn of the loop goes out in one write.
    enableAutoPipelining: true,
    keyPrefix: 'callboard:',
  })
  redis.on('error', onError)
  redis.defineCommand('takeRate', { numberOfKeys: 1, lua: TAKE })
  redis.defineCommand('peekRate', { numberOfKeys: 1, lua: PEEK })
  redis.defineCommand('raiseNumber', { numberOfKeys: 1, lua: RAISE })
  const scripts = redis as unknown as Scripts

  return {
    async take(key, rate: Rate) {
      const [now, arrival] = await scripts.takeRate(key, rate.burst, rate.perMinute)
      return gcra(rate, Number(now), Number(arrival)).verdict
    },
    async peek(key, rate) {
      const [now, arrival] = await scripts.peekRate(key)
      return gcra(rate, Number(now), Number(arrival)).verdict
    },
    putOnce: async (key, value, ttlMs) => (await redis.set(key, value, 'PX', ttlMs, 'NX')) === 'OK',
    getAndDelete: async (key) => (await redis.getdel(key)) ?? undefined,
    async number(key) {
      const text = await redis.get(key)
      return text === null ? undefined : Number(text)
    },
    raise: async (key, value, ttlMs) => Number(await scripts.raiseNumber(key, value, ttlMs)),
    async close() {
      redis.disconnect()
    },
  }
}
