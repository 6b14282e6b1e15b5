import type { ActivityItem } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { LedgerPlace } from '../../domain/places.ts'
import { groupAt } from '../../domain/ranking.ts'
import type { Suspicion } from '../../domain/truth-meter/patterns.ts'
import { shownVerdict } from '../../domain/truth-meter/shown-verdict.ts'
import type { CatalogDb, SettlementTable } from '../tables.ts'
import { behindPlace, NEWEST_FIRST, placeOf } from './ledger-order.ts'

/** The settlements asked for: since a given time, of a listing, and not reverted. */
export interface LedgerQuestion {
  readonly since: Date
  readonly slug?: string | undefined
  /** As payer or as payee. */
  readonly address?: string | undefined
}

export interface LedgerRow {
  readonly item: ActivityItem
  readonly place: LedgerPlace
}

/** The condition of every read of the ledger, in the form that its indexes use. */
export const SHOWN = sql<SqlBool>`settlement.slug is not null and not settlement.reverted`

/** The two sides that an address can be on; a payment to oneself is counted once. */
export const sidesOf = (address: string): RawBuilder<SqlBool>[] => [
  sql<SqlBool>`payer = ${address}`,
  sql<SqlBool>`pay_to = ${address} and payer <> ${address}`,
]

/** Settlements that a listing shares, but which are stored under another listing. */
export const sharedBy = (slug: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`shared_with is not null and shared_with @> array[${slug}]`

/** At most this many other listings that share a settlement are named, to bound its size. */
const NAMED_SHARERS = 10

type ShownRow = Omit<
  SettlementTable,
  'slug' | 'block_hash' | 'nonce' | 'reverted' | 'sequence' | 'facilitator' | 'patterns'
> & {
  slug: string
  name: string
  group_rank: number
  patterns: number
  suspicions: Suspicion[] | null
}

/** The next settlements after a place, newest first. Each side of an address is read in the order of its own index. */
export async function ledgerPage(
  db: CatalogDb,
  { since, slug, address }: LedgerQuestion,
  limit: number,
  after?: LedgerPlace,
): Promise<LedgerRow[]> {
  const start = behindPlace(after)
  const ofListing = slug === undefined ? [sql<SqlBool>`true`] : [sql<SqlBool>`slug = ${slug}`, sharedBy(slug)]
  const sides = address === undefined ? [sql<SqlBool>`true`] : sidesOf(address)
  const branches = ofListing.flatMap((listing) =>
    sides.map(
      (side) => sql`(
      select * from settlement
      where ${SHOWN} and observed_at >= ${since} and ${listing} and ${side} and ${start}
      order by ${NEWEST_FIRST} limit ${limit})`,
    ),
  )
  const { rows } = await sql<ShownRow>`
    select found.network, tx_hash, log_index, block_number, observed_at, payer, pay_to, asset,
           trim_scale(amount_usd)::text as amount_usd, found.slug, found.kind, found.shared_with, listing.name,
           listing.group_rank, found.patterns,
           (select suspicions from paid_verdict verdict
            where found.patterns <> 0 and verdict.week = date_bin('7 days', found.observed_at, '1970-01-05T00:00:00Z')
              and verdict.payer = found.payer and verdict.pay_to = found.pay_to) as suspicions
    from (${sql.join(branches, sql` union all `)}) found join listing on listing.slug = found.slug
    order by ${NEWEST_FIRST} limit ${limit}`.execute(db)
  return rows.map(shown)
}

const shown = (row: ShownRow): LedgerRow => ({
  item: {
    kind: row.kind,
    txHash: row.tx_hash,
    network: row.network,
    observedAt: isoTime(row.observed_at.getTime()),
    listing: { ref: row.slug, name: row.name, group: groupAt(row.group_rank) },
    payer: row.payer,
    payTo: row.pay_to,
    amountUsd: row.amount_usd,
    asset: row.asset,
    blockNumber: String(row.block_number),
    ...(row.shared_with
      ? { shared: { among: row.shared_with.length + 1, refs: row.shared_with.slice(0, NAMED_SHARERS) } }
      : {}),
    ...(row.patterns === 0 ? {} : { invented: shownVerdict(row.patterns, row.suspicions ?? [], row.observed_at) }),
  },
  place: placeOf(row),
})
