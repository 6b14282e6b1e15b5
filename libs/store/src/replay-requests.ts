import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { EventTables } from './events/event-tables.ts'

/** Operators' requests to a service to hand a dead-lettered event to its consumer again. */
export const replayRequestTable: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table replay_request (
        event_id text primary key,
        asked_by text not null,
        asked_at timestamptz not null default now(),
        taken_until timestamptz,
        ended_at timestamptz,
        failure text
      )`.execute(db)
    await sql`create index replay_request_open on replay_request (asked_at) where ended_at is null`.execute(db)
  },
}

/** The channel notified in a schema for each request. */
export const replaysChannel = (schema: string): string => `replays_${schema}`

/** Asks a service to replay an event; the commit notifies its processes. */
export async function askReplay(db: Kysely<EventTables>, eventId: string, by: string): Promise<void> {
  await sql`
    with asked as (
      insert into replay_request (event_id, asked_by) values (${eventId}, ${by})
      on conflict (event_id) do update
        set asked_by = excluded.asked_by, asked_at = now(), taken_until = null, ended_at = null, failure = null
      returning 1
    )
    select pg_notify('replays_' || current_schema(), '') from asked`.execute(db)
}

/** A request that no process has finished. */
export interface ReplayRequest {
  readonly eventId: string
  readonly by: string
}

/** Milliseconds until a request can be taken: a killed process's claim expires too. Undefined where none is open. */
export async function nextReplayMs(db: Kysely<EventTables>): Promise<number | undefined> {
  const { rows } = await sql<{ ms: number | null }>`
    select (extract(epoch from min(coalesce(taken_until, now())) - now()) * 1000)::float8 as ms
    from replay_request where ended_at is null`.execute(db)
  return rows[0]?.ms ?? undefined
}

/** Takes the oldest open request, and reserves it for a minute: if this process is killed, another takes over. */
export async function takeReplay(db: Kysely<EventTables>): Promise<ReplayRequest | undefined> {
  const { rows } = await sql<ReplayRequest>`
    update replay_request set taken_until = now() + interval '1 minute'
    where event_id = (
      select event_id from replay_request
      where ended_at is null and (taken_until is null or taken_until < now())
      order by asked_at limit 1 for update skip locked
    )
    returning event_id as "eventId", asked_by as by`.execute(db)
  return rows[0]
}

/** Records the outcome of a request. @param failure null where its event was handled */
export async function endReplay(db: Kysely<EventTables>, eventId: string, failure: string | null): Promise<void> {
  await sql`
    update replay_request set ended_at = clock_timestamp(), failure = ${failure} where event_id = ${eventId}`.execute(
    db,
  )
}

/** The outcome of a request; undefined while it is open. */
export async function replayEnd(
  db: Kysely<EventTables>,
  eventId: string,
): Promise<{ failure: string | null } | undefined> {
  const { rows } = await sql<{ failure: string | null }>`
    select failure from replay_request where event_id = ${eventId} and ended_at is not null`.execute(db)
  return rows[0]
}
