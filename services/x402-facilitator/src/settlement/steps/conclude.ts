import type { Reason } from '@callboard/x402'
import type { MinedTransaction } from '../../chain/sent-facts.ts'
import type { FacilitatorContext } from '../../context.ts'
import { type Event, onceSent } from '../../domain/payment-state.ts'
import { gone } from '../../store/move.repository.ts'
import type { Payment } from '../../store/tables.ts'

/** Why a payment failed, as far as the chain tells. */
interface Nothing {
  readonly reason: Reason
  /** Gas of our transaction, where it is in a block. */
  readonly gasUsed?: number | undefined
  /** Our transaction, if it is what failed. */
  readonly block?: MinedTransaction
}

/** Stores the outcome of a sent payment that did not move the money. @throws PaymentMoved */
export async function conclude(
  ctx: FacilitatorContext,
  row: Payment,
  event: Extract<Event, 'spent' | 'overtaken' | 'reverted' | 'expired'>,
  { reason, gasUsed, block }: Nothing,
): Promise<Payment> {
  const stands = block ? { settled_tx: block.hash, block_number: block.blockNumber, block_hash: block.blockHash } : {}
  const move = { seen: row, events: onceSent(row.state, event), facts: { reason, ...stands } }
  const concluded = (await ctx.resources.batcher.fail({ move, gasUsed })) ?? gone(row)
  // A payment that had reverted was counted then.
  if (row.state !== 'reverted') ctx.resources.meters.outcomes.inc({ network: row.network, outcome: reason })
  return concluded
}
