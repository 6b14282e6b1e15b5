import type { Stats } from '@callboard/contract'
import { DAY_MS, HOUR_MS } from '@callboard/values'
import { type SqlBool, sql } from 'kysely'
import { fillSteps, type StepSum, type Window } from '../../domain/range.ts'
import { SHOWN } from '../ledger.repository.ts'
import type { CatalogDb } from '../tables.ts'

/** The hours of a window that it holds whole are summed already; those settlements before them are counted. */
const HOURS = sql`
  (select hour as start, calls, volume, dust, dust_volume, transfers, transfer_volume, shared, shared_volume, invented,
          invented_volume from total_hour)`
const part = (condition: string) =>
  sql.raw(`count(*) filter (where ${condition}), coalesce(sum(amount_usd) filter (where ${condition}), 0)`)

/** The sums of a window by hour, the part of an hour in which it begins first. */
function hoursOf({ since }: Window, dustUsd: string) {
  const whole = new Date(Math.ceil(since.getTime() / HOUR_MS) * HOUR_MS)
  return sql`(
    select * from ${HOURS} whole where start >= ${whole}
    union all
    select date_bin('1 hour', observed_at, 'epoch'), ${part("kind = 'call'")}, ${part("kind = 'call' and is_dust")},
           ${part("kind <> 'call'")}, ${part("kind = 'call' and shared_with is not null")},
           ${part("kind = 'call' and patterns <> 0")}
    from (select *, amount_usd < ${dustUsd}::numeric as is_dust from settlement
          where ${SHOWN} and observed_at >= ${since} and observed_at < ${whole}) begun
    group by 1) hours`
}

const text = (column: string) => sql.raw(`trim_scale(coalesce(sum(${column}), 0))::text`)
const subtotal = (count: string, volume: string) =>
  sql`json_build_object('count', coalesce(sum(${sql.raw(count)}), 0), 'volumeUsd', ${text(volume)})`

type Sums = Omit<Stats['totals'], 'payers' | 'payees' | 'listings'> & { above: number }

/**
 * The sums of a window, as far as they are added up. Read them in one transaction that sees one moment, so that they agree.
 * @param dustUsd a call below it counts in the sums of calls and volume, and in no count of participants
 */
export async function totalsOf(
  db: CatalogDb,
  window: Window,
  dustUsd: string,
): Promise<Pick<Stats, 'totals' | 'concentration'>> {
  const { rows } = await sql<Sums>`
    select coalesce(sum(calls), 0)::bigint as calls, ${text('volume')} as "volumeUsd",
           coalesce(sum(calls - dust), 0)::bigint as above, ${subtotal('dust', 'dust_volume')} as dust,
           ${subtotal('transfers', 'transfer_volume')} as transfers, ${subtotal('shared', 'shared_volume')} as shared,
           ${subtotal('calls - invented', 'volume - invented_volume')} as surviving
    from ${hoursOf(window, dustUsd)}`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The sums of a window are one row')
  const { above, ...sums } = row
  const busiest = above === 0 ? 0 : await busiestPayer(db, window, dustUsd)
  return {
    totals: { ...sums, ...(await participants(db, window)) },
    concentration: { topPayerTxShare: above === 0 ? 0 : busiest / above },
  }
}

/** The sums of a window's calls by its steps. */
export async function networkBuckets(db: CatalogDb, window: Window, dustUsd: string): Promise<Stats['buckets']> {
  const last = new Date(window.starts.at(-1) ?? 0)
  const { rows } = await sql<StepSum>`
    select least(date_bin(${`${window.stepMs} milliseconds`}::interval, start, 'epoch'::timestamptz), ${last}) as start,
           sum(calls)::bigint as calls, ${text('volume')} as "volumeUsd",
           ${subtotal('calls - invented', 'volume - invented_volume')} as surviving
    from ${hoursOf(window, dustUsd)} group by 1`.execute(db)
  return fillSteps(window, rows)
}

async function participants(
  db: CatalogDb,
  { since }: Window,
): Promise<Record<'payers' | 'payees' | 'listings', number>> {
  const { rows } = await sql<{ payers: number; payees: number; listings: number }>`
    select count(*) filter (where role = 'payer') as payers, count(*) filter (where role = 'payee') as payees,
           count(*) filter (where role = 'listing') as listings
    from taking_part where role in ('payer', 'payee', 'listing') and last_at >= ${since} and above > 0`.execute(db)
  return rows[0] ?? { payers: 0, payees: 0, listings: 0 }
}

/** So many payers with the most calls ever are looked at before all others. */
const CANDIDATES = 50

/** Of so short a window all payers are read faster than candidates are proven. */
const isShort = (since: Date, starts: Window['starts']): boolean => (starts.at(-1) ?? 0) - since.getTime() < 2 * DAY_MS

/**
 * The most calls that one payer made in a window. Who made fewer calls ever than the busiest candidate in the window needs no
 * look; where that leaves payers, all are counted.
 */
async function busiestPayer(db: CatalogDb, { since, starts }: Window, dustUsd: string): Promise<number> {
  if (isShort(since, starts)) return mostOf(db, since, dustUsd, sql<SqlBool>`true`)
  const { rows: known } = await sql<{ name: string; above: number }>`
    select name, above from taking_part where role = 'payer' order by above desc limit ${CANDIDATES + 1}`.execute(db)
  const bound = known[CANDIDATES]?.above ?? 0
  const candidates = known.slice(0, CANDIDATES).map(({ name }) => name)
  const most = await mostOf(db, since, dustUsd, sql<SqlBool>`payer = any(${candidates})`)
  return most >= bound ? most : mostOf(db, since, dustUsd, sql<SqlBool>`true`)
}

async function mostOf(db: CatalogDb, since: Date, dustUsd: string, isWanted: ReturnType<typeof sql<SqlBool>>) {
  const whole = new Date(Math.ceil(since.getTime() / HOUR_MS) * HOUR_MS)
  const { rows } = await sql<{ most: number }>`
    select coalesce(max(above), 0)::bigint as most from (
      select payer, sum(above) as above from (
        select payer, above from payer_hour where hour >= ${whole} and ${isWanted}
        union all
        select payer, count(*) from settlement
        where ${SHOWN} and observed_at >= ${since} and observed_at < ${whole} and kind = 'call'
          and amount_usd >= ${dustUsd}::numeric and ${isWanted}
        group by payer) parts
      group by payer) payers`.execute(db)
  return rows[0]?.most ?? 0
}
