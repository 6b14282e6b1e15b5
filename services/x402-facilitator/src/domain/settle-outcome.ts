import type { Caip2 } from '@callboard/values'
import { isReason, type Reason, reasonIn, type SettleResponse, type V1Networks, v1NetworkName } from '@callboard/x402'
import type { Payment } from '../store/tables.ts'
import type { NotAdmitted } from './admission.ts'
import type { State } from './payment-state.ts'

/** What a caller is told of a payment. `unknown` was sent and the chain has not said. */
export type PublicState = 'absent' | 'claimed' | 'unknown' | 'settled' | 'failed'

export const PUBLIC_STATES: Record<State, PublicState> = {
  absent: 'absent',
  claimed: 'claimed',
  refused: 'failed',
  verified: 'claimed',
  signed: 'unknown',
  broadcast: 'unknown',
  mined: 'settled',
  final: 'settled',
  reverted: 'failed',
  failed: 'failed',
}

/** In which words an answer is given: version 1 has names for networks and reasons of its own. */
export interface Speech {
  readonly x402Version: 1 | 2
  readonly v1Networks: V1Networks
}

const networkWord = (network: Caip2, { x402Version, v1Networks }: Speech): string =>
  x402Version === 1 ? (v1NetworkName(network, v1Networks) ?? network) : network

/**
 * The stored outcome of a payment, the same for every repeat. A payment without outcome is `settlement_pending`, with the
 * hash of our transaction once there is one.
 */
export function settleResponse(row: Payment, speech: Speech): SettleResponse {
  const about = { payer: row.payer, network: networkWord(row.network, speech) }
  switch (PUBLIC_STATES[row.state]) {
    case 'settled':
      return { success: true, ...about, transaction: row.settled_tx ?? '', amount: row.amount }
    case 'failed':
      return {
        success: false,
        errorReason: reasonIn(speech.x402Version, storedReason(row.reason)),
        ...about,
        transaction: row.settled_tx ?? row.tx_hash ?? '',
      }
    default:
      return { success: false, errorReason: 'settlement_pending', ...about, transaction: row.tx_hash ?? '' }
  }
}

const storedReason = (text: string | null): Reason =>
  text !== null && isReason(text) ? text : 'unexpected_settle_error'

/** The answer to a payment that was refused before anything was written down. */
export const notSettled = (
  { reason, payer }: Pick<NotAdmitted, 'reason' | 'payer'>,
  paymentRequirements: Record<string, unknown>,
): SettleResponse => {
  const { network } = paymentRequirements
  return {
    success: false,
    errorReason: reason,
    ...(payer ? { payer } : {}),
    transaction: '',
    network: typeof network === 'string' ? network.slice(0, 64) : '',
  }
}
