import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { buildOf } from '../build.ts'
import { Collectors } from './collectors.ts'
import { histogramWithExemplars } from './exemplar.ts'

/** How often event loop lag is sampled: a tenth of the CPU that prom-client's own 10 ms cost an idle process. */
const EVENT_LOOP_TICK_MS = 100
const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** The metrics of every process. Their names are a contract with dashboards and alerts: docs/metrics.md lists them. */
export interface Metrics {
  readonly registry: Registry
  /** Gauges that are read when `/metrics` is requested. */
  readonly collectors: Collectors
  readonly operationSeconds: Histogram<'operation' | 'outcome'>
  readonly eventSeconds: Histogram<'consumer' | 'event' | 'outcome'>
  readonly deadLettered: Counter<'consumer' | 'event'>
  readonly consumerLag: Gauge<'consumer' | 'event'>
  readonly consumerRedelivered: Gauge<'consumer' | 'event'>
  readonly streamBytes: Gauge<'stream'>
  readonly streamEvents: Gauge<'stream'>
  readonly streamLimitBytes: Gauge<'stream'>
  readonly outboxWaiting: Gauge<'service'>
  readonly outboxOldestSeconds: Gauge<'service'>
  readonly deadLetters: Gauge<'service'>
  readonly jobRuns: Counter<'service' | 'job' | 'outcome'>
  readonly chainCallSeconds: Histogram<'network' | 'method' | 'outcome'>
  readonly chainSilentSeconds: Gauge<'service' | 'network'>
  readonly rpcEndpointForeign: Gauge<'network' | 'endpoint'>
  readonly rpcEndpointPush: Gauge<'network' | 'endpoint' | 'way'>
  readonly postgresConnections: Gauge<'service' | 'state'>
  readonly postgresConnectionsLimit: Gauge<'service'>
  readonly postgresWaiting: Gauge<'service'>
  readonly busConnected: Gauge
  readonly serverUp: Gauge<'server'>
  readonly serverAnswerSeconds: Gauge<'server'>
  readonly serviceReady: Gauge<'service'>
  readonly secretRefused: Gauge<'setting'>
  readonly secretsRotated: Counter<'setting'>
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_TICK_MS })
  showBuild(registry)
  return {
    registry,
    collectors: collectors(registry),
    ...work(registry),
    ...events(registry),
    ...stream(registry),
    ...parts(registry),
    ...secrets(registry),
  }
}

/** A gauge that is always 1 and whose labels name the build, to tell apart two versions running side by side. */
function showBuild(registry: Registry): void {
  const gauge = new Gauge({
    name: 'callboard_build_info',
    help: 'Always 1; the labels hold the version and commit of the running code and the version of Node that runs it.',
    labelNames: ['version', 'revision', 'node'],
    registers: [registry],
  })
  gauge.set({ ...buildOf(process.env), node: process.version }, 1)
}

const collectors = (registry: Registry) =>
  new Collectors(
    new Counter({
      name: 'callboard_reading_failures_total',
      help: 'Sources of gauges that failed or were late during a scrape of /metrics; their gauges are then absent.',
      labelNames: ['source'],
      registers: [registry],
    }),
  )

const work = (registry: Registry) => ({
  operationSeconds: histogramWithExemplars(registry, {
    name: 'callboard_operation_duration_seconds',
    help: 'Time that a handler took, by operation and outcome (ok, a refusal code, cancelled by its caller, or fault).',
    labelNames: ['operation', 'outcome'],
    buckets: LATENCY_BUCKETS,
  }),
  jobRuns: new Counter({
    name: 'callboard_job_runs_total',
    help: 'Runs of recurring jobs, by outcome (ok, failed).',
    labelNames: ['service', 'job', 'outcome'],
    registers: [registry],
  }),
  chainCallSeconds: new Histogram({
    name: 'callboard_chain_call_duration_seconds',
    help: 'Time that a chain took to answer, by JSON-RPC method and outcome (ok, refused by the node, failed on the way).',
    labelNames: ['network', 'method', 'outcome'],
    buckets: LATENCY_BUCKETS,
    registers: [registry],
  }),
  chainSilentSeconds: new Gauge({
    name: 'callboard_chain_silent_seconds',
    help: 'How long a service’s calls to the nodes of a network have gone unanswered; 0 if its last call was answered. It grows while a call hangs.',
    labelNames: ['service', 'network'],
    registers: [registry],
  }),
  rpcEndpointForeign: new Gauge({
    name: 'callboard_rpc_endpoint_foreign',
    help: '1 while an RPC endpoint answers for a chain other than the configured one and is therefore not used. The endpoint label is its position in the settings and its host.',
    labelNames: ['network', 'endpoint'],
    registers: [registry],
  }),
  rpcEndpointPush: new Gauge({
    name: 'callboard_rpc_endpoint_push',
    help: '1 for the way in which an RPC endpoint reports transactions, 0 for the other ways and before its first transaction: sync, it answers with the receipt (eth_sendRawTransactionSync); heads, it pushes heads (eth_subscribe), and each head triggers a query for receipts; poll, receipts are queried at an interval.',
    labelNames: ['network', 'endpoint', 'way'],
    registers: [registry],
  }),
})

const events = (registry: Registry) => ({
  eventSeconds: new Histogram({
    name: 'callboard_event_duration_seconds',
    help: 'Time that a consumer took for one delivery of an event, by outcome (ok, repeat, failed).',
    labelNames: ['consumer', 'event', 'outcome'],
    buckets: LATENCY_BUCKETS,
    registers: [registry],
  }),
  deadLettered: new Counter({
    name: 'callboard_events_buried_total',
    help: 'Events that a consumer gave up and moved to its dead letters.',
    labelNames: ['consumer', 'event'],
    registers: [registry],
  }),
  consumerLag: new Gauge({
    name: 'callboard_consumer_lag_events',
    help: 'Events on the bus that a durable consumer has not finished: waiting or in progress. All replicas show the same.',
    labelNames: ['consumer', 'event'],
    registers: [registry],
  }),
  outboxWaiting: new Gauge({
    name: 'callboard_outbox_waiting',
    help: 'Events that are written but not yet handed to the bus. All replicas show the same.',
    labelNames: ['service'],
    registers: [registry],
  }),
  outboxOldestSeconds: new Gauge({
    name: 'callboard_outbox_oldest_seconds',
    help: 'Age of the oldest event that waits for the bus; 0 if none waits. All replicas show the same.',
    labelNames: ['service'],
    registers: [registry],
  }),
  deadLetters: new Gauge({
    name: 'callboard_dead_letters',
    help: 'Events that a consumer could not handle and keeps. All replicas show the same.',
    labelNames: ['service'],
    registers: [registry],
  }),
})

const stream = (registry: Registry) => ({
  consumerRedelivered: new Gauge({
    name: 'callboard_consumer_redelivered_events',
    help: 'Events that were delivered to a durable consumer more than once and that it has not finished. All replicas show the same.',
    labelNames: ['consumer', 'event'],
    registers: [registry],
  }),
  streamBytes: new Gauge({
    name: 'callboard_stream_bytes',
    help: 'The bytes that the event stream keeps on the bus. All replicas show the same; absent if the bus is inside the process.',
    labelNames: ['stream'],
    registers: [registry],
  }),
  streamEvents: new Gauge({
    name: 'callboard_stream_events',
    help: 'Events that the stream keeps, whether or not they have been handled. All replicas show the same.',
    labelNames: ['stream'],
    registers: [registry],
  }),
  streamLimitBytes: new Gauge({
    name: 'callboard_stream_limit_bytes',
    help: 'The most bytes that the stream keeps before its oldest events are removed (NATS_STREAM_MAX_BYTES); 0: as much as the server has room for.',
    labelNames: ['stream'],
    registers: [registry],
  }),
})

const secrets = (registry: Registry) => ({
  secretRefused: new Gauge({
    name: 'callboard_secret_refused',
    help: '1 while the newest content of a secret’s file is refused and the old value stays in use, 0 otherwise. Absent if no file provides the secret.',
    labelNames: ['setting'],
    registers: [registry],
  }),
  secretsRotated: new Counter({
    name: 'callboard_secrets_rotated_total',
    help: 'Secrets that were replaced by the newest content of their file.',
    labelNames: ['setting'],
    registers: [registry],
  }),
})

const parts = (registry: Registry) => ({
  postgresConnections: new Gauge({
    name: 'callboard_postgres_connections',
    help: 'Connections in a service’s pool, by state (busy, idle).',
    labelNames: ['service', 'state'],
    registers: [registry],
  }),
  postgresConnectionsLimit: new Gauge({
    name: 'callboard_postgres_connections_limit',
    help: 'The most connections that a service’s pool opens (DATABASE_POOL_SIZE).',
    labelNames: ['service'],
    registers: [registry],
  }),
  postgresWaiting: new Gauge({
    name: 'callboard_postgres_waiting',
    help: 'Work that waits for a connection from a service’s pool. The queries of /metrics and /readyz do not count.',
    labelNames: ['service'],
    registers: [registry],
  }),
  busConnected: new Gauge({
    name: 'callboard_bus_connected',
    help: '1 while the process is connected to the bus.',
    registers: [registry],
  }),
  serverUp: new Gauge({
    name: 'callboard_server_up',
    help: '1 while a server that the process depends on (postgres, nats, redis) answers it within 1.5 seconds, 0 while it does not. Absent if the process uses its own in-process part instead.',
    labelNames: ['server'],
    registers: [registry],
  }),
  serverAnswerSeconds: new Gauge({
    name: 'callboard_server_answer_seconds',
    help: 'Time that a server took to answer the process during the scrape of /metrics; absent if it gave no answer.',
    labelNames: ['server'],
    registers: [registry],
  }),
  serviceReady: new Gauge({
    name: 'callboard_service_ready',
    help: '1 while a process that runs the service is ready for traffic, 0 while it starts, stops or lacks something that it needs.',
    labelNames: ['service'],
    registers: [registry],
  }),
})
