import type { ObservedBurn } from '@callboard/contract'
import type { Caip2 } from '@callboard/values'
import { sql } from 'kysely'
import { inChainOrder, insertedOf, placeIn, placeRow } from './log-rows.ts'
import type { BurnTable, IndexerTx } from './tables.ts'

/** Records burns in one statement. Existing ones are left unchanged. @returns the new ones */
export async function insertBurns(tx: IndexerTx, burns: readonly ObservedBurn[]): Promise<readonly ObservedBurn[]> {
  if (burns.length === 0) return []
  const rows = burns.map((one) => {
    const { ledger, from: burner, token, amount, decimals } = one
    return { ...placeRow(one), ledger, burner, token, amount, decimals }
  })
  const { rows: inserted } = await sql<BurnTable>`
    insert into burn (network, tx_hash, log_index, block_number, block_hash, observed_at, ledger, burner, token, amount,
      decimals)
    select network, tx_hash, log_index, block_number, block_hash, observed_at, ledger, burner, token, amount, decimals
    from json_to_recordset(${JSON.stringify(rows)}::json) as one (network text, tx_hash text, log_index integer,
      block_number bigint, block_hash text, observed_at timestamptz, ledger text, burner text, token text,
      amount numeric, decimals integer)
    on conflict do nothing
    returning tx_hash, log_index`.execute(tx)
  return insertedOf(burns, inserted)
}

/** Deletes the burns in blocks above a height. @returns them, in chain order */
export async function deleteBurnsAbove(tx: IndexerTx, network: Caip2, height: number): Promise<ObservedBurn[]> {
  const deleted = await tx
    .deleteFrom('burn')
    .where('network', '=', network)
    .where('block_number', '>', height)
    .returningAll()
    .execute()
  return deleted
    .map((row) => {
      const { ledger, burner: from, token, amount, decimals } = row
      return { ...placeIn(row), ledger, from, token, amount, decimals }
    })
    .toSorted(inChainOrder)
}
