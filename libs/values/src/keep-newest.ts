/** Stores a value as the newest of a map, and drops the oldest where the map is at its limit. */
export function keepNewest<Key, Value>(kept: Map<Key, Value>, key: Key, value: Value, most: number): void {
  kept.delete(key)
  if (kept.size >= most) kept.delete(kept.keys().next().value as Key)
  kept.set(key, value)
}
