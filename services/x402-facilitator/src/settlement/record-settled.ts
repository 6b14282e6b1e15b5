import { paymentSettled } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import type { MinedTransaction } from '../chain/sent-facts.ts'
import type { FacilitatorKit } from '../kit.ts'
import { movePayment } from '../store/payment.repository.ts'
import { recordResource } from '../store/resource.repository.ts'
import type { Payment } from '../store/tables.ts'

/**
 * Stores that the money moved. Outcome, event and discovered resource commit together; a block that was replaced by
 * another one with the same transaction is no second event.
 * @param isForeign true when somebody else submitted the authorization
 */
export async function recordSettled(
  kit: FacilitatorKit,
  row: Payment,
  { hash, blockNumber, blockHash }: MinedTransaction,
  isForeign: boolean,
): Promise<Payment> {
  const now = new Date(kit.clock.now())
  const facts = {
    reason: null,
    settled_tx: hash,
    block_number: blockNumber,
    block_hash: blockHash,
    is_foreign: isForeign,
    announced_tx: hash,
  }
  const settled = await kit.db.transaction().execute(async (tx) => {
    const moved = await movePayment(tx, row, 'included', { facts, now })
    if (row.announced_tx !== hash) {
      await kit.publish(tx, paymentSettled, {
        network: row.network,
        asset: row.asset,
        payer: row.payer,
        payTo: row.pay_to,
        amount: row.amount,
        nonce: row.nonce,
        txHash: hash,
        settledAt: isoTime(now.getTime()),
        foreign: isForeign,
        resourceUrl: row.resource?.resource ?? null,
      })
    }
    if (row.resource) await recordResource(tx, row.pay_to, row.resource, now)
    return moved
  })
  kit.parts.meters.outcomes.inc({ network: row.network, outcome: isForeign ? 'foreign' : 'settled' })
  return settled
}
