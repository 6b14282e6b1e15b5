import type { SupportReport } from '@callboard/contract'
import { sql } from 'kysely'
import type { CatalogDb, CatalogTx } from './tables.ts'

export interface KeptReport {
  readonly id: string
  /** `2026-11-23`, in UTC. */
  readonly day: string
  readonly expiresAt: Date
  readonly report: SupportReport
}

/**
 * Stores a report unless its day is full. Reports of one day are serialized, so that the limit holds across replicas.
 * @returns false if the day is full
 */
export async function keepReport(tx: CatalogTx, kept: KeptReport, perDay: number): Promise<boolean> {
  const { id, day, expiresAt, report } = kept
  await sql`select pg_advisory_xact_lock(hashtextextended(${`catalog:reports:${day}`}, 0))`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from support_report where day = ${day}`.execute(tx)
  if ((rows[0]?.count ?? 0) >= perDay) return false
  await tx
    .insertInto('support_report')
    .values({ id, day, expires_at: expiresAt, report: JSON.stringify(report) })
    .execute()
  return true
}

/** The newest reports after one of them; those of one day are in an order that does not reveal when each came. */
export async function newestReports(
  db: CatalogDb,
  limit: number,
  after?: Pick<KeptReport, 'day' | 'id'>,
): Promise<KeptReport[]> {
  const rows = await db
    .selectFrom('support_report')
    .select(['id', 'day', 'expires_at', 'report'])
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(day < ${after?.day} or (day = ${after?.day} and id > ${after?.id}))`),
    )
    .orderBy('day', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id, day, expires_at, report }) => ({ id, day, expiresAt: expires_at, report }))
}

export const deleteExpired = (db: CatalogDb, now: Date) =>
  db.deleteFrom('support_report').where('expires_at', '<=', now).execute()
