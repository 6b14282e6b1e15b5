import { DAY_MS } from '@callboard/values'
import { sql } from 'kysely'
import { noTakings, type Takings } from '../domain/views.ts'
import type { ListingsDb, ListingsTx, SettlementTable } from './tables.ts'

/** Notes a settlement; one that comes back in another block after a reorganisation is the same one. */
export const putSettlement = (tx: ListingsTx, settlement: SettlementTable) =>
  tx
    .insertInto('settlement')
    .values(settlement)
    .onConflict((conflict) =>
      conflict.columns(['network', 'tx_hash', 'log_index']).doUpdateSet(({ ref }) => ({
        block_hash: ref('excluded.block_hash'),
        observed_at: ref('excluded.observed_at'),
      })),
    )
    .execute()

/** Takes a settlement back, unless another block has it by now. */
export const revertSettlement = (
  tx: ListingsTx,
  { network, tx_hash, log_index, block_hash }: Omit<SettlementTable, 'slug' | 'amount' | 'observed_at'>,
) =>
  tx
    .deleteFrom('settlement')
    .where('network', '=', network)
    .where('tx_hash', '=', tx_hash)
    .where('log_index', '=', log_index)
    .where('block_hash', '=', block_hash)
    .execute()

/** What reached listings, by slug; a listing without settlements is absent. */
export async function takingsOf(db: ListingsDb, slugs: readonly string[], now: number): Promise<Map<string, Takings>> {
  if (slugs.length === 0) return new Map()
  const since = new Date(now - 7 * DAY_MS)
  const rows = await db
    .selectFrom('settlement')
    .select(({ fn }) => [
      'slug',
      fn.countAll<number>().as('calls'),
      fn.countAll<number>().filterWhere('observed_at', '>=', since).as('calls_last_7d'),
      fn.sum<string>('amount').as('amount'),
      sql<string>`coalesce(sum(amount) filter (where observed_at >= ${since}), 0)`.as('amount_last_7d'),
    ])
    .where('slug', 'in', slugs)
    .groupBy('slug')
    .execute()
  return new Map(
    rows.map((row) => [
      row.slug,
      {
        calls: row.calls,
        callsLast7d: row.calls_last_7d,
        amount: BigInt(row.amount),
        amountLast7d: BigInt(row.amount_last_7d),
      },
    ]),
  )
}

export const takingsOfOne = async (db: ListingsDb, slug: string, now: number): Promise<Takings> =>
  (await takingsOf(db, [slug], now)).get(slug) ?? noTakings
