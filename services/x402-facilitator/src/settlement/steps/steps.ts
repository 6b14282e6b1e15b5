import type { State } from '../../domain/payment-state.ts'
import { confirm } from './confirm.ts'
import { send } from './send.ts'
import { sign } from './sign.ts'
import type { Step } from './step.ts'

/** Which step each open state takes. Every state is left by an event of the table in `domain/payment-state.ts`. */
export const STEPS: Partial<Record<State, Step>> = {
  claimed: sign,
  verified: sign,
  signed: send,
  broadcast: confirm,
}
