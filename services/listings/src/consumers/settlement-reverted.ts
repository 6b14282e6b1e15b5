import type { settlementReverted } from '@callboard/contract'
import type { ListingsConsumer } from '../context.ts'
import { revertSettlement } from '../store/settlement.repository.ts'

export const onSettlementReverted: ListingsConsumer<typeof settlementReverted> = async (reverted, { tx }) => {
  const { network, txHash, logIndex, blockHash } = reverted
  await revertSettlement(tx, { network, tx_hash: txHash, log_index: logIndex, block_hash: blockHash })
}
