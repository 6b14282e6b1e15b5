import type { AddressActivity, Stats } from '@callboard/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { fillSteps, type Window } from '../domain/range.ts'
import { GROUPS, groupAt } from '../domain/ranking.ts'
import { SHOWN, sidesOf } from './ledger.repository.ts'
import type { CatalogDb } from './tables.ts'

/** An exact sum in USD as decimal text without trailing zeros, "0" for none. */
const VOLUME = sql`trim_scale(coalesce(sum(amount_usd), 0))::text`

/** The sums of a window. Read them in one transaction that sees one moment, so that they agree. */
export async function totalsOf(db: CatalogDb, { since }: Window): Promise<Pick<Stats, 'totals' | 'concentration'>> {
  const { rows } = await sql<Stats['totals'] & { busiest: number }>`
    select coalesce(sum(calls), 0)::bigint as calls,
           trim_scale(coalesce(sum(volume), 0))::text as "volumeUsd",
           count(*) as payers,
           coalesce(max(calls), 0) as busiest,
           (select count(distinct pay_to) from settlement where ${SHOWN} and observed_at >= ${since}) as payees,
           (select count(distinct slug) from settlement where ${SHOWN} and observed_at >= ${since}) as listings
    from (select count(*) as calls, sum(amount_usd) as volume
          from settlement where ${SHOWN} and observed_at >= ${since} group by payer) by_payer`.execute(db)
  const { busiest = 0, ...totals } = rows[0] ?? { calls: 0, volumeUsd: '0', payers: 0, payees: 0, listings: 0 }
  return { totals, concentration: { topPayerTxShare: totals.calls === 0 ? 0 : busiest / totals.calls } }
}

/** The sums of a window by its steps; with an address, of what it paid or received. */
export async function bucketsOf(db: CatalogDb, window: Window, address?: string): Promise<Stats['buckets']> {
  const last = new Date(window.starts.at(-1) ?? 0)
  const { rows } = await sql<{ start: Date; calls: number; volumeUsd: string }>`
    select least(date_bin(${`${window.stepMs} milliseconds`}::interval, observed_at, 'epoch'::timestamptz), ${last})
             as start, count(*) as calls, ${VOLUME} as "volumeUsd"
    from ${settlements(window, address)} group by 1`.execute(db)
  return fillSteps(window, rows)
}

/** What an address paid and received in a window. */
export async function sidesTotals(db: CatalogDb, window: Window, address: string): Promise<AddressActivity['totals']> {
  const side = async (condition: RawBuilder<SqlBool>) => {
    const { rows } = await sql<{ calls: number; volumeUsd: string }>`
      select count(*) as calls, ${VOLUME} as "volumeUsd" from settlement
      where ${SHOWN} and observed_at >= ${window.since} and ${condition}`.execute(db)
    return rows[0] ?? { calls: 0, volumeUsd: '0' }
  }
  return {
    paid: await side(sql<SqlBool>`payer = ${address}`),
    received: await side(sql<SqlBool>`pay_to = ${address}`),
  }
}

const TOP_LISTINGS = 10

/** The listings of an address's settlements, those with the largest volume first. */
export async function topListings(
  db: CatalogDb,
  window: Window,
  address: string,
): Promise<AddressActivity['topListings']> {
  const { rows } = await sql<{ ref: string; name: string; group_rank: number; calls: number; volumeUsd: string }>`
    select slug as ref, listing.name, listing.group_rank, calls, "volumeUsd"
    from (select slug, count(*) as calls, sum(amount_usd) as volume, ${VOLUME} as "volumeUsd"
          from ${settlements(window, address)} group by slug
          order by volume desc, calls desc, slug limit ${TOP_LISTINGS}) top
      join listing using (slug)
    order by volume desc, calls desc, slug`.execute(db)
  return rows.map(({ group_rank, ...row }) => ({ ...row, group: groupAt(group_rank) }))
}

/** What is published now. */
export async function catalogueCounts(db: CatalogDb): Promise<Stats['catalogue']> {
  const rows = await db
    .selectFrom('listing')
    .select(({ fn }) => [
      'group_rank',
      fn.countAll<number>().as('listings'),
      fn.countAll<number>().filterWhere('verification', '=', 'verified').as('verified'),
      fn.sum<number>('endpoints').as('endpoints'),
    ])
    .where('published', '=', true)
    .groupBy('group_rank')
    .execute()
  const sum = (column: 'listings' | 'verified' | 'endpoints') => rows.reduce((total, row) => total + row[column], 0)
  const count = (rank: number) => rows.find((row) => row.group_rank === rank)?.listings ?? 0
  const [svc, added, partner, external] = GROUPS.map((_, rank) => count(rank))
  return {
    listings: sum('listings'),
    verified: sum('verified'),
    endpoints: sum('endpoints'),
    byGroup: { svc: svc ?? 0, added: added ?? 0, partner: partner ?? 0, external: external ?? 0 },
  }
}

function settlements({ since }: Window, address: string | undefined): RawBuilder<unknown> {
  const sides = address === undefined ? [sql<SqlBool>`true`] : sidesOf(address)
  const parts = sides.map(
    (side) => sql`select * from settlement where ${SHOWN} and observed_at >= ${since} and ${side}`,
  )
  return sql`(${sql.join(parts, sql` union all `)}) settlement`
}
