import type { State } from '../domain/payment-state.ts'
import type { FacilitatorKit } from '../kit.ts'
import type { Payment } from '../store/tables.ts'
import { look } from './look-step.ts'
import { send } from './send-step.ts'
import { sign } from './sign-step.ts'

/** What one step leaves for the next one in the same process. Losing it costs a read, nothing else. */
export interface Memo {
  facts?: VerifiedFacts | undefined
}

/** What verification found of a payment that the token would take. */
export interface VerifiedFacts {
  readonly balance: bigint
  readonly batchable: boolean
  /** By the process's own clock, in milliseconds; the chain answered later. */
  readonly askedAt: number
}

/**
 * One step of an open payment towards its outcome.
 * @returns the payment as it stands now, or undefined when there is nothing to do yet
 * @throws ChainAway, PaymentMoved
 */
export type Step = (kit: FacilitatorKit, row: Payment, memo: Memo) => Promise<Payment | undefined>

/** Which step each open state takes. Every state is left by an event of the table in `domain/payment-state.ts`. */
export const STEPS: Partial<Record<State, Step>> = {
  claimed: sign,
  verified: sign,
  signed: send,
  broadcast: look,
}
