import type { Bus } from '@callboard/bus'
import type { Database, EventTables } from '@callboard/store'
import type { Metrics } from './metrics.ts'

/** Why the process should get no traffic now, in words; empty when it should. */
export async function whyNotReady(bus: Bus, databases: ReadonlyMap<string, Database<EventTables>>): Promise<string[]> {
  const reasons = bus.connected ? [] : ['the bus is away']
  const [first] = databases.values()
  await first?.pool.query('select 1').catch((error: Error) => reasons.push(`postgres: ${error.message}`))
  return reasons
}

/** Brings the gauges of outboxes and dead letters up to date. */
export async function measureEvents(
  databases: ReadonlyMap<string, Database<EventTables>>,
  metrics: Metrics,
): Promise<void> {
  for (const [service, { pool }] of databases) {
    const { rows } = await pool.query<{ waiting: number; oldest: number; dead: number }>(
      `select (select count(*) from outbox where published_at is null) as waiting,
              (select coalesce(extract(epoch from now() - min(occurred_at)), 0)::float8
                 from outbox where published_at is null) as oldest,
              (select count(*) from dead_letter) as dead`,
    )
    metrics.outboxWaiting.set({ service }, rows[0]?.waiting ?? 0)
    metrics.outboxOldestSeconds.set({ service }, rows[0]?.oldest ?? 0)
    metrics.deadLetters.set({ service }, rows[0]?.dead ?? 0)
  }
}
