import type { settlementObserved } from '@callboard/contract'
import type { ListingsConsumer } from '../context.ts'
import { creditIn } from '../credit.ts'
import { claimsOn, lockPayment, sharePayee } from '../store/asked.repository.ts'
import { paidThrough } from '../store/listing.repository.ts'
import { putSettlement, resourceNamed, sharedColumn } from '../store/settlement.repository.ts'

/**
 * A settlement to a listing's splitter, in the chain's USDC, is a call of the listing that asked its amount, or another
 * transfer. A transfer of nothing settles nothing. While only drafts claim the splitter it is kept for the oldest.
 */
export const onSettlementObserved: ListingsConsumer<typeof settlementObserved> = async (
  settlement,
  { tx, resources },
) => {
  const { network, payTo, asset, amount, observedAt } = settlement
  if (resources.chains.get(network)?.usdc.address !== asset || BigInt(amount) === 0n) return
  await lockPayment(tx, settlement)
  await sharePayee(tx, network, payTo)
  const at = Date.parse(observedAt)
  const claims = await claimsOn(tx, network, payTo, at)
  const drafts = claims.length > 0 ? [] : await paidThrough(tx, network, payTo)
  const draft = drafts.find(({ withdrawnAt }) => withdrawnAt === null) ?? drafts[0]
  const credit =
    creditIn(resources.chains, claims, { network, amount, at, resource: await resourceNamed(tx, settlement) }) ??
    (draft && { slug: draft.slug, kind: 'transfer' as const, sharedWith: [] })
  if (!credit) return
  await putSettlement(tx, {
    network,
    tx_hash: settlement.txHash,
    log_index: settlement.logIndex,
    block_hash: settlement.blockHash,
    slug: credit.slug,
    kind: credit.kind,
    shared_with: sharedColumn(credit),
    payer: settlement.payer,
    nonce: settlement.nonce,
    amount,
    observed_at: new Date(observedAt),
  })
}
