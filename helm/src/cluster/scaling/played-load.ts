/** The simulated load of a release, since no container runs. */
export interface Load {
  /** The total delay of the gateways' work; each replica shows its share, above the tenth of a second of every loop. */
  readonly eventLoopSeconds: number
  /** Absent: no process shows it. */
  readonly openStreams: number | undefined
  readonly overdueOrigins: number
  readonly overdueSeconds: number
  /** For the chain that is furthest behind; the other is not behind. */
  readonly lagSeconds: number
  /** The cores that all pods of each of these targets use together. */
  readonly cores: Readonly<Record<string, number>>
}

export const NO_LOAD: Load = {
  eventLoopSeconds: 0,
  openStreams: 0,
  overdueOrigins: 0,
  overdueSeconds: 0,
  lagSeconds: 0,
  cores: {},
}

/** A pod that shows its use. */
export interface LoadedPod {
  readonly name: string
  readonly target: string
}

const CHAINS = ['eip155:8453', 'eip155:5042'] as const
const MEMORY_BYTES = 100_000_000

/** Such a load in Prometheus's text format, with the labels that the ServiceMonitor and our processes add. */
export function expositionOf(load: Load, pods: readonly LoadedPod[], namespace: string): string {
  const line = (metric: string, value: number, labels: Readonly<Record<string, string>> = {}): string => {
    const all = Object.entries({ cluster: 'played', namespace, release: 'cb', ...labels })
    return `${metric}{${all.map(([name, text]) => `${name}="${text}"`).join(',')}} ${value}`
  }
  const of = (target: string) => pods.filter((pod) => pod.target === target)
  const gateways = of('gateway')
  return [
    line('callboard_http_request_duration_seconds_count', 1, { job: 'gateway' }),
    ...gateways.map(({ name }) =>
      line('nodejs_eventloop_lag_p99_seconds', 0.1 + load.eventLoopSeconds / gateways.length, {
        job: 'gateway',
        pod: name,
      }),
    ),
    ...(load.openStreams === undefined ? [] : [line('callboard_router_streams_open', load.openStreams)]),
    line('callboard_probe_origins_due', load.overdueOrigins),
    line('callboard_probe_oldest_due_seconds', load.overdueSeconds),
    ...CHAINS.flatMap((network, at) => [
      line('callboard_indexer_lag_seconds', at === 0 ? load.lagSeconds : 2, { network }),
      line('callboard_indexer_lag_blocks', at === 0 ? load.lagSeconds : 1, { network }),
    ]),
    ...pods.flatMap(({ name, target }) => [
      line('played_cpu_cores', (load.cores[target] ?? 0) / of(target).length, { pod: name, container: target }),
      line('played_memory_bytes', MEMORY_BYTES, { pod: name, container: target }),
    ]),
    '',
  ].join('\n')
}
