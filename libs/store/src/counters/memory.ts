import { type Clock, systemClock } from '@callboard/values'
import { type Counters, gcra } from './counters.ts'

interface Entry {
  value: string | number
  expiresAt: number
}

const SWEEP_EVERY_MS = 30_000

/** Counters of one process, for the embedded mode: correct only while one process serves the edge. */
export function memoryCounters(clock: Clock = systemClock): Counters {
  const entries = new Map<string, Entry>()
  const live = (key: string): Entry | undefined => {
    const entry = entries.get(key)
    if (entry && entry.expiresAt > clock.now()) return entry
    entries.delete(key)
    return undefined
  }
  const numberAt = (key: string) => {
    const value = live(key)?.value
    return typeof value === 'number' ? value : undefined
  }
  const sweep = setInterval(() => {
    for (const key of entries.keys()) live(key)
  }, SWEEP_EVERY_MS)
  sweep.unref()

  return {
    async take(key, rate, cost) {
      const now = clock.now()
      const { verdict, arrival } = gcra(rate, now, numberAt(key), cost)
      entries.set(key, { value: arrival, expiresAt: arrival + 1_000 })
      return verdict
    },
    async peek(key, rate) {
      return gcra(rate, clock.now(), numberAt(key)).verdict
    },
    async putOnce(key, value, ttlMs) {
      if (live(key)) return false
      entries.set(key, { value, expiresAt: clock.now() + ttlMs })
      return true
    },
    async getAndDelete(key) {
      const value = live(key)?.value
      entries.delete(key)
      return typeof value === 'string' ? value : undefined
    },
    async number(key) {
      return numberAt(key)
    },
    async raise(key, value, ttlMs) {
      const kept = Math.max(numberAt(key) ?? value, value)
      entries.set(key, { value: kept, expiresAt: clock.now() + ttlMs })
      return kept
    },
    async ping() {},
    memory: async () => undefined,
    losses: () => 0,
    async close() {
      clearInterval(sweep)
      entries.clear()
    },
  }
}
