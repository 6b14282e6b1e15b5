import { DAY_MS, HOUR_MS } from '@callboard/values'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { SHOWN } from '../ledger/ledger-reads.ts'
import type { CatalogDb } from '../tables.ts'

/** The start of the first whole hour, or day, of a window that begins at `since`. */
const wholeFrom = (since: Date, lengthMs: number) => new Date(Math.ceil(since.getTime() / lengthMs) * lengthMs)

/** How many took part in a call above the floor since then, as added up so far. */
export async function participants(
  db: CatalogDb,
  since: Date,
): Promise<Record<'payers' | 'payees' | 'listings', number>> {
  const hour = wholeFrom(since, HOUR_MS)
  const { rows } = await sql<{ payers: number; payees: number; listings: number }>`
    select coalesce(sum(parts) filter (where role = 'payer'), 0)::bigint as payers,
           coalesce(sum(parts) filter (where role = 'payee'), 0)::bigint as payees,
           coalesce(sum(parts) filter (where role = 'listing'), 0)::bigint as listings
    from (
      select role, parts from last_hour where hour >= ${hour}
      union all
      select role, count(*) from taking_part
      where role in ('payer', 'payee', 'listing') and last_at >= ${since} and last_at < ${hour} and above > 0
      group by role) last`.execute(db)
  return rows[0] ?? { payers: 0, payees: 0, listings: 0 }
}

/** This many payers with the most calls of each day are considered before all others. */
const CANDIDATES_OF_A_DAY = 10

/**
 * The most calls above the floor that one payer made since then. A payer who is never among a day's busiest made at
 * most the sum of each day's next one; if that exceeds the busiest candidate's calls, all are counted.
 */
export async function busiestPayer(db: CatalogDb, since: Date, dustUsd: string): Promise<number> {
  const { rows } = await sql<{ payer: string; bound: number }>`
    select payer, sum(above) filter (where rank > ${CANDIDATES_OF_A_DAY}) over ()::bigint as bound
    from generate_series(date_bin('1 day', ${since}::timestamptz, 'epoch'), (select max(day) from payer_day),
                         interval '24 hours') days (day),
      lateral (
        select payer, above, row_number() over (order by above desc) as rank from payer_day where payer_day.day = days.day
        order by above desc limit ${CANDIDATES_OF_A_DAY + 1}) busy`.execute(db)
  const candidates = [...new Set(rows.map(({ payer }) => payer))]
  const most = await mostOf(db, since, dustUsd, sql<SqlBool>`payer = any(${candidates})`)
  return most >= (rows[0]?.bound ?? 0) ? most : mostOf(db, since, dustUsd, sql<SqlBool>`true`)
}

/** Whole days are already summed, and so are the whole hours before them; earlier calls are counted. */
async function mostOf(db: CatalogDb, since: Date, dustUsd: string, isWanted: RawBuilder<SqlBool>): Promise<number> {
  const [hour, day] = [wholeFrom(since, HOUR_MS), wholeFrom(since, DAY_MS)]
  const { rows } = await sql<{ most: number }>`
    select coalesce(max(above), 0)::bigint as most from (
      select sum(above) as above from (
        select payer, above from payer_day where day >= ${day} and ${isWanted}
        union all
        select payer, above from payer_hour where hour >= ${hour} and hour < ${day} and ${isWanted}
        union all
        select payer, count(*) from settlement
        where ${SHOWN} and observed_at >= ${since} and observed_at < ${hour} and kind = 'call'
          and amount_usd >= ${dustUsd}::numeric and ${isWanted}
        group by payer) parts
      group by payer) payers`.execute(db)
  return rows[0]?.most ?? 0
}
