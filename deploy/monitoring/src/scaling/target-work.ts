import type { TargetWork } from './work-metric.ts'

/** Ten rounds of the origins that one replica visits concurrently (PROBE_CONCURRENCY, 32). */
const ORIGINS_OF_A_REPLICA = 320
/** Far below the 900 s at which ProberBehind notifies an operator. */
const ORIGIN_LATE_SECONDS = 120
/** A dozen blocks of the slowest public chain. */
const CHAIN_LATE_SECONDS = 30
/** A cached read takes 6 ms at its 99th percentile under full load (bench/results.md); ten times that is a queue. */
const EVENT_LOOP_SECONDS = 0.05
/** The number that breaks if a replica does; docs/capacity.md gives their CPU. */
const STREAMS_OF_A_REPLICA = 200

/** The delay that prom-client shows includes the 100 ms between two of its measurements (docs/adr/0066). */
const EVENT_LOOP_DELAY = 'clamp_min(nodejs_eventloop_lag_p99_seconds{job="gateway"} - 0.1, 0)'

/** The worst chain's lag; a chain that stands still is not behind, so blocks must also be missing. */
const WORST_LAG =
  'max(max by (network) (callboard_indexer_lag_seconds) * on (network) (max by (network) (callboard_indexer_lag_blocks) > bool 1))'

/** By target, the metrics of its work that it is scaled by; an unlisted target is scaled by CPU alone. */
export const TARGET_WORK: Readonly<Record<string, TargetWork>> = {
  gateway: {
    resources: ['cpu'],
    metrics: {
      eventLoopSeconds: {
        name: 'callboard_gateway_event_loop_delay_seconds',
        series: 'callboard_http_request_duration_seconds_count',
        expr: `avg(${EVENT_LOOP_DELAY})`,
        per: 'target',
        target: EVENT_LOOP_SECONDS,
      },
    },
  },
  catalog: { resources: ['cpu', 'memory'], metrics: {} },
  router: {
    resources: ['cpu'],
    metrics: {
      openStreams: {
        name: 'callboard_router_open_streams',
        series: 'callboard_router_streams_open',
        expr: 'sum(callboard_router_streams_open)',
        per: 'replica',
        target: STREAMS_OF_A_REPLICA,
      },
    },
  },
  'liveness-prober': {
    resources: [],
    metrics: {
      overdueOrigins: {
        name: 'callboard_prober_overdue_origins',
        series: 'callboard_probe_origins_due',
        expr: 'max(callboard_probe_origins_due)',
        per: 'replica',
        target: ORIGINS_OF_A_REPLICA,
      },
      overdueSeconds: {
        name: 'callboard_prober_overdue_seconds',
        series: 'callboard_probe_oldest_due_seconds',
        expr: 'max(callboard_probe_oldest_due_seconds)',
        per: 'target',
        target: ORIGIN_LATE_SECONDS,
      },
    },
  },
  'chain-indexer': {
    resources: [],
    atMost: 'chains',
    metrics: {
      lagSeconds: {
        name: 'callboard_indexer_worst_lag_seconds',
        series: 'callboard_indexer_lag_seconds',
        expr: WORST_LAG,
        per: 'target',
        target: CHAIN_LATE_SECONDS,
      },
    },
  },
}
