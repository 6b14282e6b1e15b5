import { randomUUID } from 'node:crypto'
import { type DataOf, type EventDeclaration, eventName } from '@callboard/contract'
import { sql } from 'kysely'
import type { IndexerTx } from './tables.ts'

/**
 * Writes many events of one kind in one statement, in their order, where `kit.publish` takes two statements for each:
 * a range holds thousands of settlements.
 */
export async function appendEvents<Event extends EventDeclaration>(
  tx: IndexerTx,
  event: Event,
  data: readonly DataOf<Event>[],
  now: Date,
): Promise<void> {
  if (data.length === 0) return
  const rows = data.map((one) => ({
    id: randomUUID(),
    key: String((one as Record<string, unknown>)[event.key]),
    data: one,
  }))
  await sql`
    insert into outbox (id, name, key, occurred_at, data)
    select id, ${eventName(event)}::text, key, ${now}::timestamptz, data
    from json_to_recordset(${JSON.stringify(rows)}::json) as event (id text, key text, data jsonb)`.execute(tx)
  await sql`select pg_notify('outbox_' || current_schema(), '')`.execute(tx)
}
