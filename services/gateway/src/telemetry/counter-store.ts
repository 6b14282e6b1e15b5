import type { Readings } from '@callboard/runtime'
import type { Counters } from '@callboard/store'
import { Gauge, type Registry } from 'prom-client'

/** What the operator watches of the server that keeps the counters. */
export interface CounterStoreMeters {
  readonly memoryBytes: Gauge
  readonly memoryLimitBytes: Gauge
  readonly evictedKeys: Gauge
}

export function counterStoreMeters(registry: Registry): CounterStoreMeters {
  const gauge = (name: string, help: string) => {
    const made = new Gauge({
      name,
      help: `${help} All replicas show the same; absent where the counters are within the process.`,
      registers: [registry],
    })
    // What has no labels would show 0 before it was read.
    made.remove({})
    return made
  }
  return {
    memoryBytes: gauge('callboard_redis_memory_bytes', 'Memory that Redis uses.'),
    memoryLimitBytes: gauge(
      'callboard_redis_memory_limit_bytes',
      'The most memory that Redis may use (its maxmemory); 0: as much as its machine has.',
    ),
    evictedKeys: gauge(
      'callboard_redis_evicted_keys',
      'Keys that Redis dropped for lack of memory since its start. Each may be a limit or a nonce that was forgotten.',
    ),
  }
}

/** Has the memory of Redis read when `/metrics` is asked. Of all services the gateway fills it. */
export function readCounterStore(
  { memoryBytes, memoryLimitBytes, evictedKeys }: CounterStoreMeters,
  readings: Readings,
  counters: Counters,
): void {
  readings.add('gateway counters', async () => {
    const memory = await counters.memory()
    if (!memory) return []
    return [
      { gauge: memoryBytes, labels: {}, value: memory.usedBytes },
      { gauge: memoryLimitBytes, labels: {}, value: memory.limitBytes },
      { gauge: evictedKeys, labels: {}, value: memory.evictedKeys },
    ]
  })
}
