import { Redis } from 'ioredis'
import { type Counters, gcra, type Rate } from './counters.ts'
import { inOneWrite } from './one-write.ts'
import { memoryIn } from './server-memory.ts'
import { TakesAhead } from './takes-ahead.ts'
import { takesOfTurn } from './takes-of-turn.ts'

/** GCRA per key on the server's clock: reads the arrival time, decides and writes it back, atomically. */
const TAKE = `
local now = redis.call('TIME')
local ms = now[1] * 1000 + now[2] / 1000
local found = { string.format('%.3f', ms) }
for place, key in ipairs(KEYS) do
  local burst, perMinute = tonumber(ARGV[place * 4 - 3]), tonumber(ARGV[place * 4 - 2])
  local cost, ahead = tonumber(ARGV[place * 4 - 1]), tonumber(ARGV[place * 4])
  local interval = 60000 / perMinute
  local arrival = tonumber(redis.call('GET', key) or ms)
  local base = math.min(math.max(arrival, ms), ms + interval * burst)
  local nextArrival = math.max(base + interval * cost, ms)
  if nextArrival - ms <= interval * burst + 1e-6 then
    local further = nextArrival + interval * ahead
    if further - ms <= interval * burst / 2 + 1e-6 then nextArrival = further end
    redis.call('SET', key, string.format('%.3f', nextArrival), 'PX', math.ceil(nextArrival - ms + 1000))
  elseif arrival > base then
    redis.call('SET', key, string.format('%.3f', base), 'PX', math.ceil(base - ms + 1000))
  end
  found[place + 1] = string.format('%.3f', arrival)
end
return found`

/** What TAKE would read. */
const PEEK = `
local now = redis.call('TIME')
local ms = string.format('%.3f', now[1] * 1000 + now[2] / 1000)
return { ms, redis.call('GET', KEYS[1]) or ms }`

const RAISE = `
local kept = tonumber(redis.call('GET', KEYS[1]) or ARGV[1])
if tonumber(ARGV[1]) > kept then kept = tonumber(ARGV[1]) end
redis.call('SET', KEYS[1], string.format('%d', kept), 'PX', ARGV[2])
return string.format('%d', kept)`

interface Scripts {
  takeRates(keys: number, ...keysAndRates: readonly (string | number)[]): Promise<string[]>
  peekRate(key: string): Promise<[string, string]>
  raiseNumber(key: string, value: number, ttlMs: number): Promise<string>
}

const PATIENCE_MS = 1_000
/**
 * A server that leaves commands unanswered for this long is gone, with the machine or the network between: the client
 * connects anew, perhaps to its successor. The system itself would wait a quarter of an hour.
 */
const GONE_MS = 5_000

/** A server that was made a replica keeps its connections: its address leads to the new primary, but only anew. */
const isOfReplica = (error: Error): boolean => /\bREADONLY\b/.test(error.message)

/** Reads user and password of a URL, as options of the client. @throws Error where that is not possible */
export const readRedisUrl = (url: string) => {
  const { username, password } = new URL(url)
  return { username: decodeURIComponent(username) || undefined, password: decodeURIComponent(password) || undefined }
}

/**
 * Counters shared by every replica, in Redis.
 * A command waits at most a second, and not at all once the connection has been lost that long: the caller has to know
 * that the store is unavailable, and decides what that means.
 * @param url as a function, it is asked for user and password at each connection
 */
export function redisCounters(url: string | (() => string), onError: (error: Error) => void): Counters {
  const urlNow = typeof url === 'string' ? () => url : url
  const redis = new Redis(urlNow(), {
    maxRetriesPerRequest: 1,
    commandTimeout: PATIENCE_MS,
    socketTimeout: GONE_MS,
    reconnectOnError: isOfReplica,
    enableOfflineQueue: true,
    keyPrefix: 'callboard:',
  })
  redis.on('error', onError)
  // Signs in with the latest credentials.
  redis.on('reconnecting', () => Object.assign(redis.options, readRedisUrl(urlNow())))
  redis.defineCommand('takeRates', { lua: TAKE })
  redis.defineCommand('peekRate', { numberOfKeys: 1, lua: PEEK })
  redis.defineCommand('raiseNumber', { numberOfKeys: 1, lua: RAISE })
  const scripts = redis as unknown as Scripts
  const connection = connectionOf(redis)
  const hold = inOneWrite(redis)
  /** @throws Error when a command has no chance of an answer */
  const begin = () => {
    connection.require()
    hold()
  }
  const takeInTurn = takesOfTurn({
    send: (keys, rates) => scripts.takeRates(keys.length, ...keys, ...rates),
    endOfTurn: hold,
  })
  const takes = new TakesAhead((key, rate, cost, ahead) => takeInTurn({ key, rate, cost, ahead }))

  return {
    async take(key, rate: Rate, cost = 1) {
      connection.require()
      return takes.take(key, rate, cost)
    },
    async peek(key, rate) {
      begin()
      const [now, arrival] = await scripts.peekRate(key)
      return gcra(rate, Number(now), Number(arrival)).verdict
    },
    async putOnce(key, value, ttlMs) {
      begin()
      return (await redis.set(key, value, 'PX', ttlMs, 'NX')) === 'OK'
    },
    async getAndDelete(key) {
      begin()
      return (await redis.getdel(key)) ?? undefined
    },
    async number(key) {
      begin()
      const text = await redis.get(key)
      return text === null ? undefined : Number(text)
    },
    async raise(key, value, ttlMs) {
      begin()
      return Number(await scripts.raiseNumber(key, value, ttlMs))
    },
    async ping() {
      begin()
      // A server that is a replica, or out of memory or disk, answers PING, and takes nothing.
      await redis.set('ping', '', 'PX', PATIENCE_MS)
    },
    async memory() {
      begin()
      // Only Redis 7 accepts several sections in one INFO.
      return memoryIn((await Promise.all([redis.info('memory'), redis.info('stats')])).join('\r\n'))
    },
    losses: connection.losses,
    async close() {
      redis.disconnect()
    },
  }
}

/** The state of the connection: whether a command has a chance now, and how often it was lost. */
function connectionOf(redis: Redis) {
  let losses = 0
  let lostAt: number | undefined
  redis.on('close', () => {
    losses += 1
    lostAt ??= performance.now()
  })
  redis.on('ready', () => {
    lostAt = undefined
  })
  return {
    losses: () => losses,
    /** @throws Error when it has been unavailable for longer than a command would wait */
    require(): void {
      if (lostAt !== undefined && performance.now() - lostAt > PATIENCE_MS) throw new Error('Connection is closed.')
    },
  }
}
