import type { ObservedSettlement } from '@callboard/contract'
import type { Caip2 } from '@callboard/values'
import { sql } from 'kysely'
import type { IndexerTx, SettlementTable } from './tables.ts'

type Key = Pick<SettlementTable, 'tx_hash' | 'log_index'>

const keyOf = ({ tx_hash, log_index }: Key) => `${tx_hash}:${log_index}`

const rowOf = (one: ObservedSettlement) => ({
  network: one.network,
  tx_hash: one.txHash,
  log_index: one.logIndex,
  block_number: one.blockNumber,
  block_hash: one.blockHash,
  observed_at: one.observedAt,
  payer: one.payer,
  pay_to: one.payTo,
  asset: one.asset,
  amount: one.amount,
  nonce: one.nonce,
  facilitator: one.facilitator,
})

/**
 * Records settlements in one statement, however many. A row that is there already stays as it is: only a
 * reorganisation, which deletes first, gives a settlement another block.
 * @returns those that are new
 */
export async function insertSettlements(
  tx: IndexerTx,
  settlements: readonly ObservedSettlement[],
): Promise<ObservedSettlement[]> {
  if (settlements.length === 0) return []
  const { rows } = await sql<Key>`
    insert into settlement
    select * from json_populate_recordset(null::settlement, ${JSON.stringify(settlements.map(rowOf))}::json)
    on conflict do nothing
    returning tx_hash, log_index`.execute(tx)
  const inserted = new Set(rows.map(keyOf))
  return settlements.filter(({ txHash, logIndex }) => inserted.has(keyOf({ tx_hash: txHash, log_index: logIndex })))
}

/** Takes back what stands in blocks above a height. @returns the rows that were deleted, in the order of the chain */
export async function deleteSettlementsAbove(
  tx: IndexerTx,
  network: Caip2,
  height: number,
): Promise<Pick<SettlementTable, 'tx_hash' | 'log_index' | 'block_number' | 'block_hash'>[]> {
  const deleted = await tx
    .deleteFrom('settlement')
    .where('network', '=', network)
    .where('block_number', '>', height)
    .returning(['tx_hash', 'log_index', 'block_number', 'block_hash'])
    .execute()
  return deleted.toSorted((a, b) => a.block_number - b.block_number || a.log_index - b.log_index)
}
