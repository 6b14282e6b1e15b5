import { type Kysely, sql } from 'kysely'
import type { EventTables } from './event-tables.ts'
import type { WaitingEvent } from './relay.ts'

/**
 * Records which log of the bus the outbox goes to. When it changes (the broker lost its store, or a new broker is
 * used), everything that the lost log would still hold is published to the new one; consumers' inboxes ignore what they
 * had handled. Replicas may call this at once: one of them does it.
 * @param identity the bus's identity of its log
 * @param keptDays how long the bus keeps events: every consumer has handled or lost anything older
 * @returns how many events will be published again
 */
export async function adoptLog<Own extends EventTables>(
  db: Kysely<Own>,
  identity: string,
  keptDays: number,
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ identity: string | null }>`select identity from event_log for update`.execute(tx)
    const before = rows[0]?.identity
    if (before === identity) return 0
    await sql`update event_log set identity = ${identity}`.execute(tx)
    // A relay with a batch in flight has marked none of it, and is idle.
    await sql`select pg_notify('outbox_' || current_schema(), '')`.execute(tx)
    if (before === null) return 0
    const { numAffectedRows } = await sql`
      update outbox set published_at = null
      where published_at is not null and occurred_at > now() - make_interval(days => ${keptDays})`.execute(tx)
    return Number(numAffectedRows ?? 0n)
  })
}

/** The most of an outbox's newest events that are considered. */
const MOST_LATEST = 100_000
const PAGE = 500

/** Reads the events that were published in the last `sinceMs`, in order and by pages. */
export async function* latestPublished<Own extends EventTables>(
  db: Kysely<Own>,
  sinceMs: number,
): AsyncGenerator<WaitingEvent[]> {
  const { rows } = await sql<{ first: number | null }>`
    select min(sequence) as first
    from (select sequence, published_at from outbox order by sequence desc limit ${MOST_LATEST}) newest
    where published_at > now() - ${Math.ceil(sinceMs)} * interval '1 millisecond'`.execute(db)
  let next = rows[0]?.first ?? undefined
  while (next !== undefined) {
    const page = await sql<WaitingEvent>`
      select sequence, id, name, key, occurred_at as "occurredAt", traceparent, data
      from outbox where published_at is not null and sequence >= ${next} order by sequence limit ${PAGE}`.execute(db)
    if (page.rows.length > 0) yield page.rows
    const last = page.rows.at(-1)
    next = last && page.rows.length === PAGE ? last.sequence + 1 : undefined
  }
}
