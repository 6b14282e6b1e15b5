import type { Address } from '@callboard/values'
import type { MinedTransaction } from '../../chain/sent-facts.ts'
import type { FacilitatorContext } from '../../context.ts'
import type { Payment } from '../../store/tables.ts'

/** What one step leaves for the next one in the same process. Losing it costs a read, nothing else. */
export interface StepCache {
  facts?: VerifiedFacts | undefined
  /** Resolves when a node pushes the receipt of the transaction that was sent; never, where none does. */
  included?: Promise<MinedTransaction>
  /** What it resolved with. */
  transaction?: MinedTransaction
}

/** What verification found of a payment that the token would take. */
export interface VerifiedFacts {
  readonly balance: bigint
  readonly hasCode: boolean
  readonly batchable: boolean
  /** The signing account under which it was tried. */
  readonly sender: Address
  /** By the process's own clock, in milliseconds; the chain answered later. */
  readonly askedAt: number
}

/**
 * One step of an open payment towards its outcome.
 * @returns the payment as it stands now, or undefined when there is nothing to do yet
 * @throws ChainUnavailable, PaymentMoved
 */
export type Step = (ctx: FacilitatorContext, row: Payment, cache: StepCache) => Promise<Payment | undefined>
