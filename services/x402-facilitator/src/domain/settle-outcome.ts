import type { Address, Caip2, Hex } from '@callboard/values'
import { isReason, type Reason, reasonIn, type SettleResponse, type V1Networks, v1NetworkName } from '@callboard/x402'
import type { NotAdmitted } from './admission.ts'
import type { State } from './payment-state.ts'

/** What a caller learns of a payment. `unknown` was sent and the chain has not said. */
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
export interface ResponseVersion {
  readonly x402Version: 1 | 2
  readonly v1Networks: V1Networks
}

const networkWord = (network: Caip2, { x402Version, v1Networks }: ResponseVersion): string =>
  x402Version === 1 ? (v1NetworkName(network, v1Networks) ?? network) : network

/** What a payment's row holds of its outcome. */
export interface StoredOutcome {
  readonly state: State
  readonly payer: Address
  readonly network: Caip2
  /** Base units. */
  readonly amount: string
  readonly reason: string | null
  readonly tx_hash: Hex | null
  readonly settled_tx: Hex | null
}

/**
 * The stored outcome of a payment, the same for every repeat. A payment without outcome is `settlement_pending`, with the
 * hash of our transaction once there is one.
 */
export function settleResponse(row: StoredOutcome, version: ResponseVersion): SettleResponse {
  const about = { payer: row.payer, network: networkWord(row.network, version) }
  switch (PUBLIC_STATES[row.state]) {
    case 'settled':
      return { success: true, ...about, transaction: row.settled_tx ?? '', amount: row.amount }
    case 'failed':
      return {
        success: false,
        errorReason: reasonIn(version.x402Version, storedReason(row.reason)),
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
  { reason, message, payer }: Pick<NotAdmitted, 'reason' | 'message' | 'payer'>,
  paymentRequirements: Record<string, unknown>,
): SettleResponse => {
  const { network } = paymentRequirements
  return {
    success: false,
    errorReason: reason,
    ...(message === undefined ? {} : { errorMessage: message }),
    ...(payer ? { payer } : {}),
    transaction: '',
    network: typeof network === 'string' ? network.slice(0, 64) : '',
  }
}
