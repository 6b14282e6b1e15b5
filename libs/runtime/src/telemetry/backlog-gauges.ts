import type { Bus, ConsumerName } from '@callboard/bus'
import type { EventDeclaration } from '@callboard/contract'
import type { Database, EventTables } from '@callboard/store'
import type { Deployment } from '../databases/migrations.ts'
import type { Sample } from './collectors.ts'
import type { Metrics } from './metrics.ts'

/** Reads the gauges of the bus, the outboxes and the pools whenever `/metrics` is requested. */
export function readBacklog(metrics: Metrics, { modules, databases, bus }: Deployment): void {
  metrics.collectors.add('bus', () => [{ gauge: metrics.busConnected, labels: {}, value: Number(bus.connected) }])
  for (const [service, database] of databases) {
    metrics.collectors.add(`${service} pool`, () => readPool(metrics, service, database))
    metrics.collectors.add(`${service} events`, () => readEvents(metrics, service, database))
  }
  for (const { name, consumes } of modules) {
    for (const { event } of consumes) prepareEvent(metrics, name, event)
    if (consumes.length === 0) continue
    metrics.collectors.add(`${name} lag`, async () =>
      (await Promise.all(consumes.map(({ event }) => readLag(metrics, bus, { service: name, event })))).flat(),
    )
  }
  if (modules.some(({ consumes }) => consumes.length > 0))
    metrics.collectors.add('stream', () => readStream(metrics, bus))
}

async function readLag(metrics: Metrics, { events }: Bus, consumer: ConsumerName): Promise<readonly Sample[]> {
  const { events: value, redelivered } = await events.lag(consumer)
  const labels = { consumer: consumer.service, event: consumer.event.id }
  return [
    { gauge: metrics.consumerLag, labels, value },
    { gauge: metrics.consumerRedelivered, labels, value: redelivered },
  ]
}

async function readStream(metrics: Metrics, { events }: Bus): Promise<readonly Sample[]> {
  const size = await events.size()
  if (!size) return []
  const labels = { stream: size.stream }
  return [
    { gauge: metrics.streamBytes, labels, value: size.bytes },
    { gauge: metrics.streamEvents, labels, value: size.events },
    { gauge: metrics.streamLimitBytes, labels, value: size.limitBytes ?? 0 },
  ]
}

/** Creates the series at 0: a counter that first appears at 1 hides its first step. */
function prepareEvent({ deadLettered, eventSeconds }: Metrics, consumer: string, event: EventDeclaration): void {
  deadLettered.inc({ consumer, event: event.id }, 0)
  for (const outcome of ['ok', 'failed']) eventSeconds.zero({ consumer, event: event.id, outcome })
}

async function readEvents(
  metrics: Metrics,
  service: string,
  { pool }: Database<EventTables>,
): Promise<readonly Sample[]> {
  const { rows } = await pool.query<{ waiting: number; oldest: number; dead: number }>(
    `select (select count(*) from outbox where published_at is null) as waiting,
            (select coalesce(extract(epoch from now() - min(occurred_at)), 0)::float8
               from outbox where published_at is null) as oldest,
            (select count(*) from dead_letter) as dead`,
  )
  return rows.flatMap(({ waiting, oldest, dead }) => [
    { gauge: metrics.outboxWaiting, labels: { service }, value: waiting },
    { gauge: metrics.outboxOldestSeconds, labels: { service }, value: oldest },
    { gauge: metrics.deadLetters, labels: { service }, value: dead },
  ])
}

function readPool(metrics: Metrics, service: string, { pool }: Database<EventTables>): readonly Sample[] {
  const { totalCount, idleCount, workWaiting, options } = pool
  return [
    { gauge: metrics.postgresConnections, labels: { service, state: 'idle' }, value: idleCount },
    { gauge: metrics.postgresConnections, labels: { service, state: 'busy' }, value: totalCount - idleCount },
    { gauge: metrics.postgresConnectionsLimit, labels: { service }, value: options.max },
    { gauge: metrics.postgresWaiting, labels: { service }, value: workWaiting },
  ]
}
