import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { EventTables } from './event-tables.ts'

/** Events of one kind of which a rebuild needs only the last ones. */
export interface SupersededEvents {
  /** Versioned name, for example `probe.completed.v1`. */
  readonly name: string
  /**
   * Which later event of the same kind and key says everything that an earlier one does: a condition on two rows of an
   * outbox, `earlier` and `later`. Absent: every later one does.
   */
  readonly when?: RawBuilder<SqlBool>
  /** After how much longer than all others the last one is deleted too; absent: never. Milliseconds. */
  readonly lastLongerMs?: number
}

const PAGE = 1_000

/**
 * Deletes published events that occurred before a time and that a later one supersedes, and last ones whose time is
 * over, a page at a time.
 * @param after the sequence up to which events were considered
 * @returns the sequence up to which they are now; undefined when no more are that old
 */
export async function deleteSuperseded<Own extends EventTables>(
  db: Kysely<Own>,
  { name, when = sql<SqlBool>`true`, lastLongerMs = Number.POSITIVE_INFINITY }: SupersededEvents,
  before: Date,
  after: number,
): Promise<number | undefined> {
  const isOver = Number.isFinite(lastLongerMs)
    ? sql<SqlBool>`earlier.occurred_at < ${new Date(before.getTime() - lastLongerMs)}`
    : sql<SqlBool>`false`
  // The name is part of the text: a partial index for this kind serves only statements that say so.
  const { rows } = await sql<{ last: number | null }>`
    with page as materialized (
      select sequence from outbox
      where name = ${sql.lit(name)} and sequence > ${after} and published_at is not null and occurred_at < ${before}
      order by sequence limit ${PAGE}
    ), deleted as (
      delete from outbox earlier using page
      where earlier.sequence = page.sequence and (${isOver} or exists (
        select from outbox later
        where later.name = ${sql.lit(name)} and later.key = earlier.key and later.sequence > earlier.sequence
          and later.published_at is not null and ${when}))
    )
    select max(sequence) as last from page`.execute(db)
  return rows[0]?.last ?? undefined
}
