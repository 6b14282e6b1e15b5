import { type Kysely, sql } from 'kysely'
import type { EventTables } from './event-tables.ts'

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
