import { randomUUID } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { EventTables } from './event-tables.ts'

/** Events of one kind, of one moment and one trace, on their way out: before the relay gives them to the bus. */
export interface OutgoingEvents {
  /** Versioned name, for example `listing.changed.v1`. */
  readonly name: string
  readonly occurredAt: Date
  readonly traceparent?: string | undefined
  readonly events: readonly { readonly key: string; readonly data: unknown }[]
}

/** The channel on which a schema's relay is woken. */
export const outboxChannel = (schema: string): string => `outbox_${schema}`

/**
 * A UUID of version 7, which begins with its time: ids that rise are added at the end of their index, not all over it.
 * @source RFC 9562, 5.7
 */
function timedUuid(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/**
 * Writes events, in their order and in one statement, in the transaction of the rows they speak of: all of it is there
 * after the commit, or nothing. The relay is woken by the commit.
 * The data travel as lines of JSON, which never holds a line break: half the CPU of a list of records, here and there.
 * @returns the events' ids, their `Nats-Msg-Id`s
 */
export async function appendEvents<Own extends EventTables>(
  tx: Transaction<Own>,
  { name, occurredAt, traceparent, events }: OutgoingEvents,
): Promise<string[]> {
  if (events.length === 0) return []
  const ids = events.map(() => timedUuid(occurredAt))
  await sql`
    with added as (
      insert into outbox (id, name, key, occurred_at, traceparent, data)
      select id, ${name}, key, ${occurredAt}, ${traceparent ?? null}, data::jsonb from unnest(
        string_to_array(${ids.join(',')}, ','),
        ${events.map(({ key }) => key)}::text[],
        string_to_array(${events.map(({ data }) => JSON.stringify(data)).join('\n')}, E'\n')
      ) as event (id, key, data)
      returning 1
    )
    select pg_notify('outbox_' || current_schema(), '') from (select 1 from added limit 1) one`.execute(tx)
  return ids
}
