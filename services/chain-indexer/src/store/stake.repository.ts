import type { StakeChange } from '@callboard/contract'
import type { Address, Caip2 } from '@callboard/values'
import { sql } from 'kysely'
import { inChainOrder, insertedOf, placeIn, placeRow } from './log-rows.ts'
import type { IndexerTx, StakeChangeTable } from './tables.ts'

/** Records changes in one statement. Existing ones are left unchanged. @returns the new ones */
export async function insertStakes(tx: IndexerTx, stakes: readonly StakeChange[]): Promise<readonly StakeChange[]> {
  if (stakes.length === 0) return []
  const rows = stakes.map((one) => ({ ...placeRow(one), contract: one.contract, owner: one.owner, stake: one.stake }))
  const { rows: inserted } = await sql<StakeChangeTable>`
    insert into stake_change (network, tx_hash, log_index, block_number, block_hash, observed_at, contract, owner, stake)
    select network, tx_hash, log_index, block_number, block_hash, observed_at, contract, owner, stake
    from json_to_recordset(${JSON.stringify(rows)}::json) as one (network text, tx_hash text, log_index integer,
      block_number bigint, block_hash text, observed_at timestamptz, contract text, owner text, stake numeric)
    on conflict do nothing
    returning tx_hash, log_index`.execute(tx)
  return insertedOf(stakes, inserted)
}

/** Deletes the changes in blocks above a height. @returns them, in chain order */
export async function deleteStakesAbove(tx: IndexerTx, network: Caip2, height: number): Promise<StakeChange[]> {
  const deleted = await tx
    .deleteFrom('stake_change')
    .where('network', '=', network)
    .where('block_number', '>', height)
    .returningAll()
    .execute()
  return changesIn(deleted)
}

/** Deletes the changes of a contract. @returns them, in chain order */
export async function deleteStakesIn(tx: IndexerTx, network: Caip2, contract: Address): Promise<StakeChange[]> {
  const deleted = await tx
    .deleteFrom('stake_change')
    .where('network', '=', network)
    .where('contract', '=', contract)
    .returningAll()
    .execute()
  return changesIn(deleted)
}

const changesIn = (rows: readonly StakeChangeTable[]): StakeChange[] =>
  rows
    .map((row) => ({ ...placeIn(row), contract: row.contract, owner: row.owner, stake: row.stake }))
    .toSorted(inChainOrder)
