import { paymentFacts, standsAgain } from '@callboard/contract'
import type { Address, Caip2 } from '@callboard/values'
import type { ListingsBatchConsumer } from '../context.ts'
import { creditPayments } from '../credit-payments.ts'
import { Payees, payeeOf } from '../payees.ts'
import { lockPayments } from '../store/asked.repository.ts'
import { claimantsOf } from '../store/claimant.repository.ts'
import { putResources, revertSettlement } from '../store/settlement.repository.ts'

/**
 * Handles observed and reverted payments in a chain's USDC, and those that our facilitator settled, which name a
 * resource: stores those that concern a listing's splitter.
 */
export const onPayments: ListingsBatchConsumer = async (events, { tx, resources: { chains } }) => {
  const facts = paymentFacts(events)
  const isUsdc = ({ network, asset }: { readonly network: Caip2; readonly asset: Address }) =>
    chains.get(network)?.usdc.address === asset
  const [seen, told] = [facts.observed.filter(isUsdc), facts.named.filter(isUsdc)]
  const payments = [...seen, ...told]
  if (payments.length > 0) {
    await lockPayments(tx, payments)
    const payees = new Payees(await claimantsOf(tx, payments.map(payeeOf)))
    const [observed, named] = [seen.filter(payees.areListed), told.filter(payees.areListed)]
    await putResources(tx, named)
    if (observed.length + named.length > 0) await creditPayments(chains, tx, payees, { observed, named })
  }
  for (const left of facts.reverted.filter((one) => !standsAgain(one, facts.observed))) {
    const { network, txHash, logIndex, blockHash } = left
    await revertSettlement(tx, { network, tx_hash: txHash, log_index: logIndex, block_hash: blockHash })
  }
}
