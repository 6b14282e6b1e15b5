import { DAY_MS } from '@callboard/values'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Counters } from '../counters/counters.ts'
import type { Database } from '../database.ts'
import type { EventTables } from '../events/event-tables.ts'
import { restoredBecause } from './restored.ts'

/** One row: how often a schema was marked, and whether it was found to be at an earlier state than before. */
export const databaseMarkTable: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table database_mark (
        single boolean primary key default true check (single),
        id uuid not null default gen_random_uuid(),
        beat bigint not null default 0,
        beaten_at timestamptz not null default now(),
        history text,
        restored_because text,
        restored_to timestamptz
      )`.execute(db)
    await sql`insert into database_mark default values`.execute(db)
  },
}

/** A schema that is at an earlier state than before. */
export interface Restored {
  readonly because: string
  /** Its last mark before the lost time: everything acknowledged until then is present. */
  readonly to: Date
}

/** The longest downtime after which a deployment is still recognised. */
const KEPT_MS = 90 * DAY_MS
/** Replicas share a beat: if another has just written one, it is not written again. */
const BEAT_MS = 4_000

/** Functions that every user of a database may call. */
const HISTORY = sql<string>`
  (select system_identifier from pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)`
const KEY = sql<string>`'mark:' || id || ':' || current_database() || ':' || current_schema()`

interface Row {
  readonly key: string
  readonly beat: number
  readonly beatenAt: Date
  readonly history: string
  readonly knownHistory: string | null
  readonly because: string | null
  readonly to: Date | null
}

async function readRow<Own extends EventTables>(db: Kysely<Own>): Promise<Row> {
  const { rows } = await sql<Row>`
    select ${KEY} as key, beat, beaten_at as "beatenAt", ${HISTORY} as history, history as "knownHistory",
      restored_because as because, restored_to as to
    from database_mark`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The schema has no mark: its migrations did not run to their end.')
  return row
}

/**
 * Checks whether a schema is at an earlier state than before. A finding is recorded there, and stays until the operator
 * has reconciled it.
 * @throws Error while Redis or Postgres cannot be queried
 */
export async function noticeRestore<Own extends EventTables>(
  db: Kysely<Own>,
  counters: Pick<Counters, 'number'>,
): Promise<Restored | undefined> {
  const row = await readRow(db)
  const keptBeat = await counters.number(row.key)
  // A replica that marks concurrently commits before it publishes to Redis: read a row below that value once more.
  const isBehind = keptBeat !== undefined && keptBeat > row.beat
  const { beatenAt, because: known, to, ...seen } = isBehind ? await readRow(db) : row
  if (known !== null) return { because: known, to: to ?? beatenAt }
  const because = restoredBecause({ ...seen, keptBeat })
  if (because === undefined) return undefined
  await declareRestored(db, { because, to: beatenAt })
  return { because, to: beatenAt }
}

/** Records that a schema was restored, unless already recorded. */
export async function declareRestored<Own extends EventTables>(
  db: Kysely<Own>,
  { because, to }: Restored,
): Promise<void> {
  await sql`
    update database_mark set restored_because = ${because}, restored_to = ${to} where restored_because is null`.execute(
    db,
  )
}

/**
 * Marks a schema, unless another replica has just done so, and stores the committed mark outside its database: a commit
 * is seen once it is acknowledged. A restored schema is not marked.
 * @throws Error while Redis or Postgres cannot be queried
 */
export async function markDatabase(
  { db, guard }: Pick<Database<EventTables>, 'db' | 'guard'>,
  counters: Pick<Counters, 'raise'>,
): Promise<void> {
  const { rows } = await sql<{ key: string; beat: number }>`
    with marked as (
      update database_mark set beat = beat + 1, beaten_at = now(), history = ${HISTORY}
      where restored_because is null and (beat = 0 or beaten_at < now() - ${BEAT_MS} * interval '1 millisecond')
      returning ${KEY} as key, beat
    )
    select key, beat from marked
    union all
    select ${KEY}, beat from database_mark where restored_because is null and not exists (select from marked)`.execute(
    db,
  )
  for (const { key, beat } of rows) {
    guard.saw(beat)
    await counters.raise(key, beat, KEPT_MS)
  }
}

/** Ends a restore: the schema is marked above every value ever stored for it, under its present history. */
export async function endRestored<Own extends EventTables>(
  db: Kysely<Own>,
  counters: Pick<Counters, 'number' | 'raise'>,
): Promise<void> {
  const { key, beat } = await readRow(db)
  const next = Math.max(beat, (await counters.number(key)) ?? 0) + 1
  await counters.raise(key, next, KEPT_MS)
  await sql`
    update database_mark set beat = ${next}, beaten_at = now(), history = ${HISTORY}, restored_because = null,
      restored_to = null`.execute(db)
}

/** Larger than the number of events that any restore loses. */
const SEQUENCES_APART = 1_000_000

/**
 * Makes a schema's next event follow every one that was published in the lost time: consumers that keep only the newest
 * state of something compare this number.
 * @returns the sequence after which events continue
 */
export async function skipSequences<Own extends EventTables>(db: Kysely<Own>): Promise<number> {
  const { rows } = await sql<{ sequence: number }>`
    select setval(pg_get_serial_sequence('outbox', 'sequence'), last_value + ${SEQUENCES_APART}) as sequence
    from outbox_sequence_seq`.execute(db)
  return rows[0]?.sequence ?? 0
}
