import type { ReceivedTransaction } from '../../chain/sent-facts.ts'
import type { FacilitatorContext } from '../../context.ts'
import { onceSent } from '../../domain/payment-state.ts'
import type { Payment } from '../../store/tables.ts'
import { settlementFailpoints } from '../failpoints.ts'
import { moveInBatch } from './verify.ts'

/**
 * Whether a preconfirmation counts for a payment. Only the first one does: if that comes to nothing only a block
 * counts, or a lying node could keep the payment from ending forever.
 */
export const takesPreconfirmation = ({ confirmation, preconfirmed_tx }: Payment): boolean =>
  confirmation === 'preconfirmed' && preconfirmed_tx === null

/**
 * Stores that the block being built moves a payment's money. Nothing is announced or booked: both follow with its
 * block, and until then the payment keeps what it reserved. @throws PaymentMoved
 */
export async function recordPreconfirmed(
  ctx: FacilitatorContext,
  row: Payment,
  { hash, blockNumber, blockHash }: ReceivedTransaction,
  logIndex: number,
): Promise<Payment> {
  const facts = {
    reason: null,
    settled_tx: hash,
    block_number: blockNumber,
    block_hash: blockHash,
    log_index: logIndex,
    is_foreign: false,
    preconfirmed_tx: hash,
  }
  const moved = await moveInBatch(ctx, { seen: row, events: onceSent(row.state, 'preconfirmed'), facts })
  settlementFailpoints.hit('preconfirmed', 1)
  return moved
}
