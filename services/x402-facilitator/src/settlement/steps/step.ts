import type { MinedTransaction, ReceivedTransaction } from '../../chain/sent-facts.ts'
import type { FacilitatorContext } from '../../context.ts'
import type { Payment } from '../../store/tables.ts'
import type { VerifiedFacts } from '../proofs/verified-facts.ts'

/** What one step leaves for the next one in the same process. Losing it costs only a read. */
export interface StepCache {
  facts?: VerifiedFacts | undefined
  /** When a use of the authorization was first searched for, as far back as it is, by this process's clock. */
  searchedAt?: number
  /** Resolves when a node pushes a receipt that counts for the transaction sent; never, if none does. */
  pushed?: Promise<unknown>
  /** The transaction, once a receipt was pushed and the chain has its block. */
  transaction?: MinedTransaction
  /** The transaction, once a receipt was pushed; used by payments that count when preconfirmed. */
  preconfirmed?: ReceivedTransaction
}

/**
 * One step of an open payment towards its outcome.
 * @returns the payment after it, or undefined when there is nothing to do yet
 * @throws ChainUnavailable, PaymentMoved
 */
export type Step = (ctx: FacilitatorContext, row: Payment, cache: StepCache) => Promise<Payment | undefined>
