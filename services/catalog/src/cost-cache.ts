import { SingleFlight } from '@callboard/runtime'
import type { Cache } from './ttl-cache.ts'

/** An answer that takes less is made anew for each request. */
const CHEAP_MS = 100
/** Slower answers are kept this many times as long: making one takes at most a fiftieth of the time. */
const TIMES_AS_LONG = 50
const MAX_KEPT = 1_000

/**
 * Caches answers by how long they take to make, so that nobody can keep the database busy by repeating the costliest
 * query. Callers that ask while an answer is being made wait for that one; a failed answer is not kept.
 * @param now a monotonic clock in milliseconds
 */
export function costCache<Value>(now: () => number = () => performance.now()): Cache<string, Value> {
  const making = new SingleFlight<Value>()
  /** In the order in which they were made. */
  const kept = new Map<string, { readonly value: Value; readonly until: number }>()

  async function makeAnew(key: string, make: () => Promise<Value>): Promise<Value> {
    const startedAt = now()
    kept.delete(key)
    const value = await make()
    const tookMs = now() - startedAt
    if (tookMs < CHEAP_MS) return value
    kept.set(key, { value, until: now() + TIMES_AS_LONG * tookMs })
    const [oldest] = kept.keys()
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
    return value
  }

  return (key, make) => {
    const known = kept.get(key)
    if (known && now() < known.until) return Promise.resolve(known.value)
    return making.run(key, () => makeAnew(key, make))
  }
}
