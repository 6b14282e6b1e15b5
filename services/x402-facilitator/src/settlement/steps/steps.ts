import type { State } from '../../domain/payment-state.ts'
import { confirm } from './confirm.ts'
import { noteSent } from './note-sent.ts'
import { send } from './send.ts'
import { sign } from './sign.ts'
import type { Step } from './step.ts'

/**
 * The steps of each open state, run in order until one of them moves the payment. Every state is left by an event of
 * the table in `domain/payment-state.ts`.
 */
export const STEPS: Partial<Record<State, readonly Step[]>> = {
  claimed: [sign],
  verified: [sign],
  signed: [send, confirm, noteSent],
  broadcast: [confirm],
}
