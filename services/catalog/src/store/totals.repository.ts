import type { AddressActivity, Stats } from '@callboard/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { fillSteps, type StepSum, type Window } from '../domain/range.ts'
import { GROUPS, groupAt } from '../domain/ranking.ts'
import { SHOWN, sidesOf } from './ledger.repository.ts'
import type { CatalogDb } from './tables.ts'

/** An exact sum in USD as decimal text without trailing zeros, "0" for none. */
const VOLUME = sql`trim_scale(coalesce(sum(amount_usd), 0))::text`

/** Settlements that are the price of a call, and those among them that count for more than their sum. */
const IS_CALL = sql<SqlBool>`kind = 'call'`
const IS_SHARED = sql<SqlBool>`shared_with is not null`
/** Calls that show no pattern of invented volume. */
const SURVIVES = sql<SqlBool>`kind = 'call' and patterns = 0`
const SURVIVING = sql`
  json_build_object('count', count(*) filter (where ${SURVIVES}),
    'volumeUsd', trim_scale(coalesce(sum(amount_usd) filter (where ${SURVIVES}), 0))::text) as surviving`

/** What an address paid or received, by the steps of a window. */
export async function bucketsOf(db: CatalogDb, window: Window, address: string): Promise<Stats['buckets']> {
  const last = new Date(window.starts.at(-1) ?? 0)
  const { rows } = await sql<StepSum>`
    select least(date_bin(${`${window.stepMs} milliseconds`}::interval, observed_at, 'epoch'::timestamptz), ${last})
             as start, count(*) as calls, ${VOLUME} as "volumeUsd", ${SURVIVING}
    from ${calls(window, address)} group by 1`.execute(db)
  return fillSteps(window, rows)
}

/** What an address paid and received in a window. */
export async function sidesTotals(db: CatalogDb, window: Window, address: string): Promise<AddressActivity['totals']> {
  const side = async (condition: RawBuilder<SqlBool>) => {
    const { rows } = await sql<{
      calls: number
      volumeUsd: string
      count: number
      transferred: string
      surviving: StepSum['surviving']
    }>`
      select count(*) filter (where ${IS_CALL}) as calls,
             trim_scale(coalesce(sum(amount_usd) filter (where ${IS_CALL}), 0))::text as "volumeUsd",
             count(*) filter (where not ${IS_CALL}) as count,
             trim_scale(coalesce(sum(amount_usd) filter (where not ${IS_CALL}), 0))::text as transferred, ${SURVIVING}
      from settlement
      where ${SHOWN} and observed_at >= ${window.since} and ${condition}`.execute(db)
    const [row] = rows
    if (!row) throw new Error('The sums of a side are one row')
    const { calls, volumeUsd, count, transferred, surviving } = row
    return { calls, volumeUsd, transfers: { count, volumeUsd: transferred }, surviving }
  }
  return {
    paid: await side(sql<SqlBool>`payer = ${address}`),
    received: await side(sql<SqlBool>`pay_to = ${address}`),
  }
}

const TOP_LISTINGS = 10

/**
 * The listings of an address's calls, those with the largest volume first, what they share included. A shared call is in
 * the row of each listing that shares it, apart from those that are its own.
 */
export async function topListings(
  db: CatalogDb,
  window: Window,
  address: string,
): Promise<AddressActivity['topListings']> {
  const { rows } = await sql<TopListing>`
    select slug as ref, listing.name, listing.group_rank, calls, "volumeUsd", "sharedCount", "sharedVolumeUsd", surviving
    from (select sharer as slug, sum(amount_usd) as volume, count(*) as settled,
                 count(*) filter (where not ${IS_SHARED}) as calls,
                 trim_scale(coalesce(sum(amount_usd) filter (where not ${IS_SHARED}), 0))::text as "volumeUsd",
                 count(*) filter (where ${IS_SHARED}) as "sharedCount",
                 trim_scale(coalesce(sum(amount_usd) filter (where ${IS_SHARED}), 0))::text as "sharedVolumeUsd",
                 json_build_object('count', count(*) filter (where not ${IS_SHARED} and patterns = 0),
                   'volumeUsd', trim_scale(coalesce(sum(amount_usd) filter (
                     where not ${IS_SHARED} and patterns = 0), 0))::text) as surviving
          from ${calls(window, address)} cross join unnest(slug || coalesce(shared_with, '{}')) as sharer
          group by sharer order by volume desc, settled desc, sharer limit ${TOP_LISTINGS}) top
      join listing using (slug)
    order by volume desc, settled desc, slug`.execute(db)
  return rows.map(({ group_rank, sharedCount, sharedVolumeUsd, ...row }) => ({
    ...row,
    group: groupAt(group_rank),
    ...(sharedCount > 0 ? { shared: { count: sharedCount, volumeUsd: sharedVolumeUsd } } : {}),
  }))
}

interface TopListing {
  ref: string
  name: string
  group_rank: number
  calls: number
  volumeUsd: string
  sharedCount: number
  sharedVolumeUsd: string
  surviving: StepSum['surviving']
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

function calls({ since }: Window, address: string): RawBuilder<unknown> {
  const parts = sidesOf(address).map(
    (side) => sql`select * from settlement where ${SHOWN} and ${IS_CALL} and observed_at >= ${since} and ${side}`,
  )
  return sql`(${sql.join(parts, sql` union all `)}) settlement`
}
