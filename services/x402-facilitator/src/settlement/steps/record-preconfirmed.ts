import type { ReceivedTransaction } from '../../chain/sent-facts.ts'
import type { FacilitatorContext } from '../../context.ts'
import { onceSent } from '../../domain/payment-state.ts'
import type { Payment } from '../../store/tables.ts'
import { settlementFailpoints } from '../failpoints.ts'
import { moveInBatch } from './verify.ts'

/**
 * Whether a payment counts when it is preconfirmed. It does on one preconfirmation alone: after one that came to nothing
 * only a block counts, or a node that lies would keep it from its end for ever.
 */
export const takesPreconfirmation = ({ confirmation, preconfirmed_tx }: Payment): boolean =>
  confirmation === 'preconfirmed' && preconfirmed_tx === null

/**
 * Stores that the block which is being built moves the money of a payment. Nothing is told of it and nothing booked: both
 * follow with its block, and until then the payment holds what it reserved. @throws PaymentMoved
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
