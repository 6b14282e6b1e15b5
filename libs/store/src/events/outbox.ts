import { randomUUID } from 'node:crypto'
import { noStatement, type Statement, statement } from '../statements/statement.ts'

/** Outgoing events of one kind, one moment and one trace, before the relay publishes them. */
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
 * A UUID of version 7, which begins with its time: rising ids are appended to their index, not scattered over it.
 * @source RFC 9562, 5.7
 */
function timedUuid(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/**
 * Writes events, in order and in one statement, for the transaction of the rows they describe: after the commit all of
 * it is stored, or nothing. The commit wakes the relay. The data are sent as lines of JSON, which never holds a line
 * break: half the CPU of a list of records, here and in Postgres.
 * @returns the events' ids, their `Nats-Msg-Id`s
 */
export function appendEvents({ name, occurredAt, traceparent, events }: OutgoingEvents): Statement<string[]> {
  if (events.length === 0) return noStatement([])
  const ids = events.map(() => timedUuid(occurredAt))
  return statement`
    with added as (
      insert into outbox (id, name, key, occurred_at, traceparent, data)
      select id, ${name}, key, ${occurredAt}, ${traceparent ?? null}, data::jsonb from unnest(
        string_to_array(${ids.join(',')}, ','),
        ${events.map(({ key }) => key)}::text[],
        string_to_array(${events.map(({ data }) => JSON.stringify(data)).join('\n')}, E'\n')
      ) as event (id, key, data)
      returning 1
    )
    select pg_notify('outbox_' || current_schema(), '') from (select 1 from added limit 1) one`.as(() => ids)
}
