import type { settlementObserved } from '@callboard/contract'
import { listingPaid } from '../domain/attribution.ts'
import type { ListingsConsumer } from '../kit.ts'
import { paidThrough } from '../store/listing.repository.ts'
import { putSettlement } from '../store/settlement.repository.ts'

/** A settlement to a listing's splitter is a call of that listing. */
export const onSettlementObserved: ListingsConsumer<typeof settlementObserved> = async (settlement, { tx, parts }) => {
  const { network, payTo, asset, amount } = settlement
  if (parts.chains.get(network)?.usdc.address !== asset) return
  const listing = listingPaid(await paidThrough(tx, network, payTo), amount)
  if (!listing) return
  await putSettlement(tx, {
    network,
    tx_hash: settlement.txHash,
    log_index: settlement.logIndex,
    block_hash: settlement.blockHash,
    slug: listing.slug,
    amount,
    observed_at: new Date(settlement.observedAt),
  })
}
