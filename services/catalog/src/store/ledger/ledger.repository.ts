import type { ActivityItem } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import { sql } from 'kysely'
import type { LedgerPlace } from '../../domain/places.ts'
import { groupAt } from '../../domain/ranking.ts'
import type { Suspicion } from '../../domain/truth-meter/patterns.ts'
import { shownVerdict } from '../../domain/truth-meter/shown-verdict.ts'
import type { CatalogDb, SettlementTable } from '../tables.ts'
import { NEWEST_FIRST, placeOf } from './ledger-order.ts'
import { type LedgerQuestion, ledgerReads } from './ledger-reads.ts'

export interface LedgerRow {
  readonly item: ActivityItem
  readonly place: LedgerPlace
}

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

/** The next settlements after a place, newest first. */
export async function ledgerPage(
  db: CatalogDb,
  question: LedgerQuestion,
  limit: number,
  after?: LedgerPlace,
): Promise<LedgerRow[]> {
  const reads = ledgerReads(question, limit, after)
  const { rows } = await sql<ShownRow>`
    select found.network, tx_hash, log_index, block_number, observed_at, payer, pay_to, asset,
           trim_scale(amount_usd)::text as amount_usd, found.slug, found.kind, found.shared_with, listing.name,
           listing.group_rank, found.patterns,
           (select suspicions from paid_verdict verdict
            where found.patterns <> 0 and verdict.week = date_bin('7 days', found.observed_at, '1970-01-05T00:00:00Z')
              and verdict.payer = found.payer and verdict.pay_to = found.pay_to) as suspicions
    from (${sql.join(reads, sql` union all `)}) found join listing on listing.slug = found.slug
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
