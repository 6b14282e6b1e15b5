import type { MinedTransaction } from '../../chain/sent-facts.ts'
import type { FacilitatorContext } from '../../context.ts'
import type { Payment } from '../../store/tables.ts'
import type { VerifiedFacts } from '../verified-facts.ts'

/** What one step leaves for the next one in the same process. Losing it costs a read, nothing else. */
export interface StepCache {
  facts?: VerifiedFacts | undefined
  /** Resolves when a node pushes the receipt of the transaction that was sent; never, where none does. */
  included?: Promise<MinedTransaction>
  /** What it resolved with. */
  transaction?: MinedTransaction
}

/**
 * One step of an open payment towards its outcome.
 * @returns the payment as it stands now, or undefined when there is nothing to do yet
 * @throws ChainUnavailable, PaymentMoved
 */
export type Step = (ctx: FacilitatorContext, row: Payment, cache: StepCache) => Promise<Payment | undefined>
