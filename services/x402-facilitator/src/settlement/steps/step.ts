import type { MinedTransaction, ReceivedTransaction } from '../../chain/sent-facts.ts'
import type { FacilitatorContext } from '../../context.ts'
import type { Payment } from '../../store/tables.ts'
import type { VerifiedFacts } from '../proofs/verified-facts.ts'

/** What one step leaves for the next one in the same process. Losing it costs a read, nothing else. */
export interface StepCache {
  facts?: VerifiedFacts | undefined
  /** Resolves when a node pushes a receipt of the transaction that was sent that counts; never, where none does. */
  pushed?: Promise<unknown>
  /** The transaction, once a receipt was pushed whose block the chain has. */
  transaction?: MinedTransaction
  /** The transaction, once a receipt was pushed; for a payment that counts when it is preconfirmed. */
  preconfirmed?: ReceivedTransaction
}

/**
 * One step of an open payment towards its outcome.
 * @returns the payment as it stands now, or undefined when there is nothing to do yet
 * @throws ChainUnavailable, PaymentMoved
 */
export type Step = (ctx: FacilitatorContext, row: Payment, cache: StepCache) => Promise<Payment | undefined>
