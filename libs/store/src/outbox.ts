import { randomUUID } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { EventTables } from './event-tables.ts'

/** An event on its way out: what the service says, before the relay gives it to the bus. */
export interface OutgoingEvent {
  /** Versioned name, for example `listing.changed.v1`. */
  readonly name: string
  readonly key: string
  readonly occurredAt: Date
  readonly traceparent?: string | undefined
  readonly data: unknown
}

/** The channel on which a schema's relay is woken. */
export const outboxChannel = (schema: string): string => `outbox_${schema}`

/**
 * Writes an event in the transaction of the rows it speaks of: both are there after the commit, or neither.
 * @returns the event's id, its `Nats-Msg-Id`
 */
export async function appendEvent<Own extends EventTables>(
  tx: Transaction<Own>,
  event: OutgoingEvent,
): Promise<string> {
  const id = randomUUID()
  await sql`
    insert into outbox (id, name, key, occurred_at, traceparent, data)
    values (${id}, ${event.name}, ${event.key}, ${event.occurredAt}, ${event.traceparent ?? null},
            ${JSON.stringify(event.data)}::jsonb)`.execute(tx)
  await sql`select pg_notify('outbox_' || current_schema(), '')`.execute(tx)
  return id
}
