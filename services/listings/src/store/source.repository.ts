import type { MirrorSource } from '@callboard/contract'
import { HOUR_MS } from '@callboard/values'
import { type Selectable, sql } from 'kysely'
import type { SourceRun } from '../domain/mirror/source.ts'
import type { ListingsDb, ListingsTx, SourceTable } from './tables.ts'

export type Source = Selectable<SourceTable>

/** One replica's right to read a source; no other replica reads it until the lease ends or is released. */
export interface SourceLease {
  readonly source: Source
  readonly token: string
}

/** Adds a source, due now, or changes its configuration; if its location changes, it starts over. */
export const putSource = (tx: ListingsTx, source: MirrorSource, by: SourceTable['configured_by'], now: Date) => {
  const configured = {
    kind: source.kind,
    url: source.url,
    filters: JSON.stringify(source.filters),
    configured_by: by,
    interval_ms: Math.round(source.intervalHours * HOUR_MS),
  }
  return tx
    .insertInto('source')
    .values({ ...configured, name: source.name, due_at: now, failures: 0, created_at: now })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet(({ ref }) => ({
        ...configured,
        run: sql<string | null>`case when ${ref('source.url')} = excluded.url and ${ref('source.kind')} = excluded.kind
          and ${ref('source.filters')} = excluded.filters then ${ref('source.run')} end`,
        due_at: sql<Date>`case when ${ref('source.url')} = excluded.url and ${ref('source.kind')} = excluded.kind
          and ${ref('source.filters')} = excluded.filters then ${ref('source.due_at')} else excluded.due_at end`,
      })),
    )
    .execute()
}

/** All sources, by name. */
export const allSources = (db: ListingsDb): Promise<Source[]> =>
  db.selectFrom('source').selectAll().orderBy('name').execute()

/** Makes a source due. @returns false if there is none of that name */
export async function makeDue(tx: ListingsTx, name: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('source')
    .set({ due_at: now, run: null })
    .where('name', '=', name)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** @returns false if there is none of that name */
export async function deleteSource(tx: ListingsTx, name: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('source').where('name', '=', name).executeTakeFirst()
  return numDeletedRows === 1n
}

/** The channel for the news that sources may be due sooner. */
export const sourcesChannel = (schema: string): string => `sources_${schema}`

/** Wakes the imports of all replicas at the commit. */
export const tellOfSources = (tx: ListingsTx) => sql`select pg_notify('sources_' || current_schema(), '')`.execute(tx)

/** Milliseconds until a source is due, or until the lease of a leased one ends; undefined if there is none. */
export async function nextImportMs(db: ListingsDb, now: number): Promise<number | undefined> {
  const { rows } = await sql<{ dueAt: Date | null; freeInMs: number | null }>`
    select (select min(due_at) from source where leased_until is null or leased_until <= now()) as "dueAt",
      (select (extract(epoch from min(leased_until) - now()) * 1000)::float8 from source where leased_until > now())
        as "freeInMs"`.execute(db)
  const { dueAt = null, freeInMs = null } = rows[0] ?? {}
  const inMs = [...(dueAt ? [dueAt.getTime() - now] : []), ...(freeInMs === null ? [] : [freeInMs])]
  return inMs.length > 0 ? Math.max(0, Math.min(...inMs)) : undefined
}

/** Leases sources that are due, the most overdue first. Concurrent replicas get different ones. */
export async function leaseDueSources(
  db: ListingsDb,
  { now, token, limit, leaseMs }: { now: Date; token: string; limit: number; leaseMs: number },
): Promise<SourceLease[]> {
  const { rows } = await sql<{ name: string }>`
    update source set lease = ${token}, leased_until = now() + ${leaseMs} * interval '1 millisecond'
    where name in (
      select name from source where due_at <= ${now} and (leased_until is null or leased_until <= now())
      order by due_at limit ${limit} for update skip locked)
    returning name`.execute(db)
  if (rows.length === 0) return []
  const names = rows.map(({ name }) => name)
  const sources = await db.selectFrom('source').selectAll().where('name', 'in', names).execute()
  return sources.map((source) => ({ source, token }))
}

/** Locks a leased source, so that the lease cannot pass on before the commit. @returns undefined if it already has */
export const lockSource = (tx: ListingsTx, { source, token }: SourceLease): Promise<Source | undefined> =>
  tx
    .selectFrom('source')
    .selectAll()
    .where('name', '=', source.name)
    .where('lease', '=', token)
    .forUpdate()
    .executeTakeFirst()

/** Locks a source, even while a replica reads it. */
export const lockSourceNamed = (tx: ListingsTx, name: string) =>
  tx.selectFrom('source').select('name').where('name', '=', name).forUpdate().executeTakeFirst()

/** The state of a leased source after one of its pages. */
export interface SourceProgress {
  readonly dueAt: Date
  readonly run: SourceRun | null
  readonly failures: number
  readonly problem: string | null
  /** When the good import ended; undefined leaves the previous value. */
  readonly goodAt?: Date | undefined
  readonly notTaken?: Readonly<Record<string, number>> | undefined
}

/** Writes the state of a locked source, and releases its lease. */
export const endLease = (
  tx: ListingsTx,
  name: string,
  { dueAt, run, failures, problem, goodAt, notTaken }: SourceProgress,
) =>
  tx
    .updateTable('source')
    .set({
      ...{ due_at: dueAt, run: run && JSON.stringify(run), failures, problem, lease: null, leased_until: null },
      ...(goodAt ? { last_good_at: goodAt } : {}),
      ...(notTaken ? { not_taken: JSON.stringify(notTaken) } : {}),
    })
    .where('name', '=', name)
    .execute()
