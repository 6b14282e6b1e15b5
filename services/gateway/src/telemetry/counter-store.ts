import type { Collectors } from '@callboard/runtime'
import type { Counters } from '@callboard/store'
import { Gauge, type Registry } from 'prom-client'

/** The metrics of the server that stores the counters. */
export interface CounterStoreMeters {
  readonly memoryBytes: Gauge
  readonly memoryLimitBytes: Gauge
  readonly evictedKeys: Gauge
}

export function counterStoreMeters(registry: Registry): CounterStoreMeters {
  const gauge = (name: string, help: string) => {
    const made = new Gauge({
      name,
      help: `${help} All replicas show the same; absent if the counters are inside the process.`,
      registers: [registry],
    })
    // Without this, a gauge without labels would show 0 before it is read.
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
      'Keys that Redis has evicted for lack of memory since its start. Each may be a limit or a nonce that was lost.',
    ),
  }
}

/** Reads the memory of Redis whenever `/metrics` is read. Of all services, the gateway fills it. */
export function readCounterStore(
  { memoryBytes, memoryLimitBytes, evictedKeys }: CounterStoreMeters,
  collectors: Collectors,
  counters: Counters,
): void {
  collectors.add('gateway counters', async () => {
    const memory = await counters.memory()
    if (!memory) return []
    return [
      { gauge: memoryBytes, labels: {}, value: memory.usedBytes },
      { gauge: memoryLimitBytes, labels: {}, value: memory.limitBytes },
      { gauge: evictedKeys, labels: {}, value: memory.evictedKeys },
    ]
  })
}
