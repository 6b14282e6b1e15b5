import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** What every process measures of itself. Names are a contract with dashboards and alerts. */
export interface Metrics {
  readonly registry: Registry
  readonly operationSeconds: Histogram<'operation' | 'outcome'>
  readonly eventSeconds: Histogram<'consumer' | 'event' | 'outcome'>
  readonly outboxWaiting: Gauge<'service'>
  readonly outboxOldestSeconds: Gauge<'service'>
  readonly deadLetters: Gauge<'service'>
  readonly jobRuns: Counter<'service' | 'job' | 'outcome'>
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  return {
    registry,
    operationSeconds: new Histogram({
      name: 'callboard_operation_duration_seconds',
      help: 'Time a handler took, by operation and outcome (ok, a refusal code, or fault).',
      labelNames: ['operation', 'outcome'],
      buckets: LATENCY_BUCKETS,
      registers,
    }),
    eventSeconds: new Histogram({
      name: 'callboard_event_duration_seconds',
      help: 'Time a consumer took for one event, by outcome (ok, repeat, failed, buried).',
      labelNames: ['consumer', 'event', 'outcome'],
      buckets: LATENCY_BUCKETS,
      registers,
    }),
    outboxWaiting: new Gauge({
      name: 'callboard_outbox_waiting',
      help: 'Events written and not yet given to the bus.',
      labelNames: ['service'],
      registers,
    }),
    outboxOldestSeconds: new Gauge({
      name: 'callboard_outbox_oldest_seconds',
      help: 'Age of the oldest event that waits for the bus.',
      labelNames: ['service'],
      registers,
    }),
    deadLetters: new Gauge({
      name: 'callboard_dead_letters',
      help: 'Events that a consumer could not handle.',
      labelNames: ['service'],
      registers,
    }),
    jobRuns: new Counter({
      name: 'callboard_job_runs_total',
      help: 'Runs of recurring jobs, by outcome (ok, failed).',
      labelNames: ['service', 'job', 'outcome'],
      registers,
    }),
  }
}
