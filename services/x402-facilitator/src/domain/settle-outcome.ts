import type { Address, Caip2, Hex } from '@callboard/values'
import {
  type Confirmation,
  isReason,
  type Reason,
  reasonIn,
  type SettleResponse,
  type V1Networks,
  v1NetworkName,
} from '@callboard/x402'
import type { NotAdmitted } from './admission.ts'
import { confirmationOf, countsAt, reachedBy } from './confirmation.ts'
import type { State } from './payment-state.ts'

/** What a caller learns of a payment. `unknown` was sent, and the chain has not said, or may still say otherwise. */
export type PublicState = 'absent' | 'claimed' | 'unknown' | 'settled' | 'failed'

export const PUBLIC_STATES: Record<State, PublicState> = {
  absent: 'absent',
  claimed: 'claimed',
  refused: 'failed',
  verified: 'claimed',
  signed: 'unknown',
  broadcast: 'unknown',
  preconfirmed: 'settled',
  mined: 'settled',
  safe: 'settled',
  final: 'settled',
  reverted: 'unknown',
  failed: 'failed',
}

/** What one learns of a payment who asks for a policy: one that is not as far is neither paid nor unpaid. */
export const publicState = (state: State, policy: Confirmation): PublicState =>
  reachedBy(state) !== null && !countsAt(state, policy) ? 'unknown' : PUBLIC_STATES[state]

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
 * The stored outcome of a payment, the same for every repeat but for how far it is by now. A payment that is not as far as
 * is asked is `settlement_pending`, with the hash of its transaction once there is one.
 * @param policy from where on it counts for the one who asks
 */
export function settleResponse(row: StoredOutcome, version: ResponseVersion, policy: Confirmation): SettleResponse {
  const about = { payer: row.payer, network: networkWord(row.network, version) }
  const extra = { confirmation: confirmationOf(row.state, policy) }
  switch (publicState(row.state, policy)) {
    case 'settled':
      return { success: true, ...about, transaction: row.settled_tx ?? '', amount: row.amount, extra }
    case 'failed':
      return {
        success: false,
        errorReason: reasonIn(version.x402Version, storedReason(row.reason)),
        ...about,
        transaction: row.settled_tx ?? row.tx_hash ?? '',
      }
    default:
      return {
        success: false,
        errorReason: 'settlement_pending',
        ...(row.state === 'reverted' ? { errorMessage: row.reason === USED_OTHERWISE ? NOT_FINAL : STILL_OPEN } : {}),
        ...about,
        transaction: row.settled_tx ?? row.tx_hash ?? '',
        extra,
      }
  }
}

const STILL_OPEN =
  'The transaction failed, and the authorization may still be used until its window is over: repeat the same payment, or cancel its authorization, before signing another one.'
const NOT_FINAL =
  'The authorization was cancelled or used for something else, in a block that may still go away: repeat the same payment once that block is final, before signing another one.'

/** Why a payment came to nothing whose authorization was cancelled, or used for something else. */
export const USED_OTHERWISE = 'invalid_exact_evm_nonce_already_used' satisfies Reason

/**
 * For which reason a payment stands whose transaction failed: that its authorization was used otherwise goes away with the block of
 * that use, and may come after the transaction failed for another.
 * @param used whether the token counts the authorization as used now
 */
export function reasonOfReverted(stored: string | null, used: boolean): Reason {
  if (used) return USED_OTHERWISE
  return stored !== null && isReason(stored) && stored !== USED_OTHERWISE ? stored : TRANSACTION_FAILED
}

const TRANSACTION_FAILED = 'invalid_exact_evm_transaction_failed' satisfies Reason

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
