import type { Clock } from '@callboard/values'

/** Answers by key, which may be slightly old. */
export type Cache<Key, Value> = (key: Key, make: () => Promise<Value>) => Promise<Value>

/**
 * Keeps an answer for `ttlMs` from when its making began; one from the future, after a clock was set back, is dropped.
 * Callers that ask while it is being made wait for it, so a burst costs one query; a failed answer is not kept.
 */
export function ttlCache<Key, Value>(ttlMs: number, clock: Clock): Cache<Key, Value> {
  const kept = new Map<Key, { value: Promise<Value>; since: number }>()
  return (key, make) => {
    const now = clock.now()
    const known = kept.get(key)
    if (known && known.since <= now && now < known.since + ttlMs) return known.value
    const entry = { value: make(), since: now }
    kept.set(key, entry)
    entry.value.catch(() => {
      if (kept.get(key) === entry) kept.delete(key)
    })
    return entry.value
  }
}
