import { burnReverted, settlementReverted, stakeReverted } from '@callboard/contract'
import type { Caip2 } from '@callboard/values'
import type { IndexerContext } from '../context.ts'
import { deleteBurnsAbove } from '../store/burn.repository.ts'
import { deleteFactsAbove } from '../store/chain-fact.repository.ts'
import { deleteSettlementsAbove } from '../store/settlement.repository.ts'
import { deleteStakesAbove } from '../store/stake.repository.ts'
import type { IndexerTx } from '../store/tables.ts'
import { publishReverted } from './facts.ts'

/** Reverts everything in blocks above a height. @returns how much that was */
export async function revert(
  ctx: Pick<IndexerContext, 'publishAll'>,
  tx: IndexerTx,
  network: Caip2,
  height: number,
): Promise<number> {
  const [settlements, stakes, burns, facts] = await Promise.all([
    deleteSettlementsAbove(tx, network, height),
    deleteStakesAbove(tx, network, height),
    deleteBurnsAbove(tx, network, height),
    deleteFactsAbove(tx, network, height),
  ])
  const settled = settlements.map((row) => ({
    network,
    txHash: row.tx_hash,
    logIndex: row.log_index,
    blockHash: row.block_hash,
  }))
  await Promise.all([
    ctx.publishAll(tx, settlementReverted, settled),
    ctx.publishAll(tx, stakeReverted, stakes),
    ctx.publishAll(tx, burnReverted, burns),
    publishReverted(ctx, tx, facts),
  ])
  return settlements.length + stakes.length + burns.length + facts.length
}
