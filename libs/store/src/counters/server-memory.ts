import type { CounterMemory } from './counters.ts'

/**
 * Reads Redis's memory figures.
 * @param info its answers to INFO, sections `memory` and `stats`
 * @throws Error naming the missing field
 */
export function memoryIn(info: string): CounterMemory {
  const fields = new Map(info.split('\r\n').map((line) => line.split(':') as [string, string | undefined]))
  const numberOf = (field: string): number => {
    const value = Number(fields.get(field) ?? Number.NaN)
    if (Number.isNaN(value)) throw new Error(`Redis does not say its ${field}`)
    return value
  }
  return {
    usedBytes: numberOf('used_memory'),
    limitBytes: numberOf('maxmemory'),
    evictedKeys: numberOf('evicted_keys'),
  }
}
