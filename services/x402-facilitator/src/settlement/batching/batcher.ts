import type { Address, Caip2, Hex } from '@callboard/values'
import type { ChainVerdict, ExactTransfer } from '@callboard/x402'
import type { PayerFacts } from '../../chain/payer-facts.ts'
import type { MinedTransaction, SentTransaction } from '../../chain/sent-facts.ts'
import type { Move } from '../../store/move.repository.ts'
import type { Claim } from '../../store/payment.repository.ts'
import type { Payment } from '../../store/tables.ts'
import type { SpentBudget } from '../gas/gas-budget-spent.ts'

/**
 * The access of payments to Postgres and to nodes. Each payment runs on its own, step by step; what its step reads or
 * writes travels in one batch with what other payments read or write at that time. Nothing here makes decisions.
 */
export interface Batcher {
  readonly find: (key: string) => Promise<Payment | undefined>
  /** @returns undefined when the key is taken */
  readonly claim: (claim: Claim) => Promise<Payment | undefined>
  /** Takes or renews a lease for this process. @returns undefined when the payment is not open, or leased to another process */
  readonly lease: (key: string) => Promise<Payment | undefined>
  /** @returns undefined when another process moved the payment or took it over */
  readonly move: (move: Move) => Promise<Payment | undefined>
  /** @throws ChainUnavailable; TokenPaused where that would be the only reason to refuse the payment */
  readonly ask: (question: Question) => Promise<Answer>
  /** @throws ChainUnavailable */
  readonly sign: (request: SignRequest) => Promise<SignOutcome>
  /** Reads a transaction, once a node gives its receipt. @throws ChainUnavailable */
  readonly sent: (network: Caip2, hash: Hex) => Promise<SentTransaction | undefined>
  /** @returns undefined when another process moved the payment or took it over */
  readonly settle: (settled: Settled) => Promise<Payment | undefined>
  /** @returns undefined when another process moved the payment or took it over */
  readonly fail: (failed: Failed) => Promise<Payment | undefined>
}

export interface Question {
  readonly transfer: ExactTransfer
  readonly suffix: Hex
}

/** Whether the token would accept a transfer, and the facts that the next step needs. */
export interface Answer {
  readonly verdict: ChainVerdict
  readonly authorizationUsed: boolean
  readonly balance: bigint
  readonly hasCode: boolean
  /** The payer has no code and the transfer needs no more gas than a leg of a batch gets. */
  readonly batchable: boolean
  /** The signing account under which the transfer was tried. */
  readonly sender: Address
  /** The token's issuer has stopped all transfers, which is neither the payer's fault nor ours. */
  readonly paused: boolean
  /** The facts read one by one, where the token did not accept the transfer at once. */
  readonly facts?: PayerFacts
}

/** A payment that the token would accept and that needs a transaction. */
export interface SignRequest {
  readonly row: Payment
  readonly balance: bigint
  readonly hasCode: boolean
  readonly batchable: boolean
  /** The signing account under which it was tried. */
  readonly sender: Address
  /** When the balance was requested, by this process's clock. */
  readonly askedAt: number
}

/**
 * The payment after signing, or why it was not signed: `lanes_busy` no account has capacity for it · `payer_busy` the
 * payer's other payments come first · `gas_busy` all the gas that it may have is reserved by payments on their way, or
 * every account is busy · `moved` another runner has the payment · or whose gas budget is spent.
 */
export type SignOutcome = Payment | SpentBudget | 'lanes_busy' | 'payer_busy' | 'gas_busy' | 'moved'

/** A payment whose money moved. */
export interface Settled {
  readonly row: Payment
  readonly transaction: MinedTransaction
  /** Log index of the token's `Transfer` in its block. */
  readonly logIndex: number
  /** Whether a third party submitted the authorization. */
  readonly isForeign: boolean
}

/** A payment that failed after our transaction was signed. */
export interface Failed {
  readonly move: Move
  /** Gas of our transaction, where it is in a block. */
  readonly gasUsed: number | undefined
}
