import { SingleFlight } from '@callboard/runtime'
import type { Recent } from './recent.ts'

/** What takes less is made anew for everyone who asks. */
const CHEAP_MS = 100
/** What takes longer is kept for so many times as long: making it takes a fiftieth of the time at most, however often it is asked for. */
const TIMES_AS_LONG = 50
const MAX_KEPT = 1_000

/**
 * Keeps answers by what they cost to make, so that nobody makes the database busy by asking for the most costly one over and over. A
 * caller that asks while it is being made waits for the same one; an answer that failed is not kept.
 * @param now a monotonic clock in milliseconds
 */
export function costly<Value>(now: () => number = () => performance.now()): Recent<string, Value> {
  const making = new SingleFlight<Value>()
  /** In the order of making. */
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
