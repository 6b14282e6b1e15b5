import { sql } from 'kysely'
import type { DirectoryRecord } from '../directory/indexed-listing.ts'
import type { EndpointCheck } from '../domain/check-summary.ts'
import { NO_USAGE, type Usage } from '../domain/usage.ts'
import { rowsOfSold } from './check.repository.ts'
import type { CatalogDb } from './tables.ts'

/** The channel on which a commit that changes the directory is announced. */
export const changesChannel = (schema: string): string => `changes_${schema}`

/** A point in time of the database. */
export interface Moment {
  /** Which transactions were committed by then: a `pg_snapshot` as text. */
  readonly snapshot: string
  /** Identifies a server between two restarts: transactions of different ones cannot be compared. */
  readonly server: string
}

export async function momentOf(db: CatalogDb): Promise<Moment> {
  const { rows } = await sql<Moment>`
    select pg_current_snapshot()::text as snapshot,
           concat(pg_postmaster_start_time(), ' ', inet_server_addr(), ' ', inet_server_port()) as server`.execute(db)
  const [moment] = rows
  if (!moment) throw new Error('The database returned no moment')
  return moment
}

/**
 * The listings written by transactions that were not yet committed at a moment, whenever these began and in whichever
 * order they ended.
 * @param limit the most that are returned
 */
export async function changedSince(db: CatalogDb, { snapshot }: Moment, limit: number): Promise<string[]> {
  const { rows } = await sql<{ slug: string }>`
    select slug from listing_change
    where xid >= pg_snapshot_xmin(${snapshot}::pg_snapshot) and not pg_visible_in_snapshot(xid, ${snapshot}::pg_snapshot)
    limit ${limit}`.execute(db)
  return rows.map(({ slug }) => slug)
}

interface RecordRow {
  slug: string
  snapshot: string
  usage: Usage | null
  checks: (Omit<EndpointCheck, 'checkedAt' | 'okAt'> & { checkedAtMs: number; okAtMs: number | null })[] | null
}

const EPOCH_MS = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::bigint`

const SOLD = sql`jsonb_to_recordset(listing.snapshot -> 'operations') as sold (method text, url text)`

const RECORD = sql`
  listing.slug, listing.snapshot::text as snapshot,
  (select json_build_object('calls', calls, 'volumeRank', volume_rank)
   from listing_usage where listing_usage.slug = listing.slug) as usage,
  (select json_agg(json_build_object(
      'method', one.method, 'url', one.url, 'sequence', sequence, 'state', state, 'liveness', liveness,
      'conformance', conformance, 'checkedAtMs', ${EPOCH_MS('checked_at')}, 'okAtMs', ${EPOCH_MS('ok_at')}))
   from ${rowsOfSold('endpoint_check', sql`listing.slug`, SOLD)}) as checks`

const recordOf = ({ checks, usage, ...row }: RecordRow): DirectoryRecord => ({
  ...row,
  usage: usage ?? NO_USAGE,
  checks: (checks ?? []).map(({ checkedAtMs, okAtMs, ...check }) => ({
    ...check,
    checkedAt: new Date(checkedAtMs),
    okAt: okAtMs === null ? null : new Date(okAtMs),
  })),
})

/**
 * Transactions that this server has yet to begin come from another server's dump. They were never visible, so they
 * would count as changes for ever; this makes them current changes.
 */
export const adoptChanges = (db: CatalogDb) =>
  sql`update listing_change set xid = pg_current_xact_id() where xid >= pg_snapshot_xmax(pg_current_snapshot())`.execute(
    db,
  )

/** The published ones among some listings. */
export async function recordsOf(db: CatalogDb, slugs: readonly string[]): Promise<DirectoryRecord[]> {
  const { rows } = await sql<RecordRow>`
    select ${RECORD} from listing where slug = any(${slugs}) and published`.execute(db)
  return rows.map(recordOf)
}

/** The next published listings after a slug, in the order of slugs. */
export async function recordsAfter(db: CatalogDb, slug: string, limit: number): Promise<DirectoryRecord[]> {
  const { rows } = await sql<RecordRow>`
    select ${RECORD} from listing where slug > ${slug} and published order by slug limit ${limit}`.execute(db)
  return rows.map(recordOf)
}
