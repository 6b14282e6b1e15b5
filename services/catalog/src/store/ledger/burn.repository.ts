import type { BurnItem, ObservedBurn, Sequenced } from '@callboard/contract'
import { decimalText, isoTime } from '@callboard/values'
import { sql } from 'kysely'
import type { LedgerPlace } from '../../domain/places.ts'
import type { BurnTable, CatalogDb, CatalogTx } from '../tables.ts'
import { behindPlace, NEWEST_FIRST, placeOf } from './ledger-order.ts'

/** Writes that a burn is in a block, or that its block left the chain. The later event wins. */
export const keepBurn = (tx: CatalogTx, burn: Sequenced<ObservedBurn>, reverted: boolean) =>
  tx
    .insertInto('burn')
    .values({
      ...{ network: burn.network, tx_hash: burn.txHash, log_index: burn.logIndex },
      ...{ block_number: Number(burn.blockNumber), observed_at: new Date(burn.observedAt) },
      ...{ burner: burn.from, token: burn.token, amount: decimalText(BigInt(burn.amount), burn.decimals) },
      ...{ reverted, sequence: burn.sequence },
    })
    .onConflict((conflict) =>
      conflict
        .columns(['network', 'tx_hash', 'log_index'])
        .doUpdateSet(({ ref }) => ({
          block_number: ref('excluded.block_number'),
          observed_at: ref('excluded.observed_at'),
          burner: ref('excluded.burner'),
          token: ref('excluded.token'),
          amount: ref('excluded.amount'),
          reverted: ref('excluded.reverted'),
          sequence: ref('excluded.sequence'),
        }))
        .whereRef('burn.sequence', '<', 'excluded.sequence'),
    )
    .execute()

export interface BurnRow {
  readonly item: BurnItem
  readonly place: LedgerPlace
}

/** The next burns after a place, newest first. */
export async function burnPage(db: CatalogDb, limit: number, after?: LedgerPlace): Promise<BurnRow[]> {
  const { rows } = await sql<BurnTable>`
    select network, tx_hash, log_index, block_number, observed_at, burner, token, trim_scale(amount)::text as amount
    from burn where not reverted and ${behindPlace(after)} order by ${NEWEST_FIRST} limit ${limit}`.execute(db)
  return rows.map((row) => ({
    item: {
      network: row.network,
      txHash: row.tx_hash,
      blockNumber: String(row.block_number),
      observedAt: isoTime(row.observed_at.getTime()),
      from: row.burner,
      token: row.token,
      amount: row.amount,
    },
    place: placeOf(row),
  }))
}

/** Everything ever burned, in whole tokens as exact decimal text. */
export async function totalBurned(db: CatalogDb): Promise<string> {
  const { rows } = await sql<{ total: string }>`
    select trim_scale(coalesce(sum(amount), 0))::text as total from burn where not reverted`.execute(db)
  return rows[0]?.total ?? '0'
}
