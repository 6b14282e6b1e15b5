import type { EventDeclaration } from '@callboard/contract'
import type { Database, EventTables } from '@callboard/store'
import type { Metrics } from './metrics.ts'
import type { Deployment } from './migrations.ts'
import type { Reading } from './readings.ts'

/** Has the gauges of the bus, of outboxes and of pools read whenever `/metrics` is asked. */
export function readBacklog(metrics: Metrics, { modules, databases, bus }: Deployment): void {
  metrics.readings.add('bus', () => [{ gauge: metrics.busConnected, labels: {}, value: Number(bus.connected) }])
  for (const [service, database] of databases) {
    metrics.readings.add(`${service} pool`, () => readPool(metrics, service, database))
    metrics.readings.add(`${service} events`, () => readEvents(metrics, service, database))
  }
  for (const { name, consumes } of modules) {
    for (const { event } of consumes) prepareEvent(metrics, name, event)
    if (consumes.length === 0) continue
    metrics.readings.add(`${name} lag`, () =>
      Promise.all(
        consumes.map(async ({ event }) => ({
          gauge: metrics.consumerLag,
          labels: { consumer: name, event: event.id },
          value: await bus.events.lag({ service: name, event }),
        })),
      ),
    )
  }
}

/** A counter that begins at 0 shows its first step; one that appears with it does not. */
function prepareEvent({ eventsBuried, eventSeconds }: Metrics, consumer: string, event: EventDeclaration): void {
  eventsBuried.inc({ consumer, event: event.id }, 0)
  for (const outcome of ['ok', 'failed']) eventSeconds.zero({ consumer, event: event.id, outcome })
}

async function readEvents(
  metrics: Metrics,
  service: string,
  { pool }: Database<EventTables>,
): Promise<readonly Reading[]> {
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

function readPool(metrics: Metrics, service: string, { pool }: Database<EventTables>): readonly Reading[] {
  const { totalCount, idleCount, workWaiting, options } = pool
  return [
    { gauge: metrics.postgresConnections, labels: { service, state: 'idle' }, value: idleCount },
    { gauge: metrics.postgresConnections, labels: { service, state: 'busy' }, value: totalCount - idleCount },
    { gauge: metrics.postgresConnectionsLimit, labels: { service }, value: options.max },
    { gauge: metrics.postgresWaiting, labels: { service }, value: workWaiting },
  ]
}
