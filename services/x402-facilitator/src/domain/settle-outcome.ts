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

/** What a caller learns of a payment. `unknown`: it was sent, and the chain gave no answer yet or may change it. */
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

/** The state that a caller with a policy learns: a payment below that policy counts neither as paid nor as unpaid. */
export const publicState = (state: State, policy: Confirmation): PublicState =>
  reachedBy(state) !== null && !countsAt(state, policy) ? 'unknown' : PUBLIC_STATES[state]

/** The wording of an answer: version 1 has its own names for networks and reasons. */
export interface ResponseVersion {
  readonly x402Version: 1 | 2
  readonly v1Networks: V1Networks
}

const networkWord = (network: Caip2, { x402Version, v1Networks }: ResponseVersion): string =>
  x402Version === 1 ? (v1NetworkName(network, v1Networks) ?? network) : network

/** The outcome fields of a payment's row. */
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
 * The stored outcome of a payment, the same for every repeat except for its confirmation by now. A payment below the
 * policy is `settlement_pending`, with the hash of its transaction once there is one.
 * @param policy from which confirmation on it counts for the caller
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

/** Why a payment failed whose authorization was cancelled or used for something else. */
export const USED_OTHERWISE = 'invalid_exact_evm_nonce_already_used' satisfies Reason

/**
 * The reason stored for a payment whose transaction failed. `USED_OTHERWISE` no longer holds once the block of that use
 * is gone, and may arise after the transaction failed for another reason.
 * @param used whether the token counts the authorization as used now
 */
export function reasonOfReverted(stored: string | null, used: boolean): Reason {
  if (used) return USED_OTHERWISE
  return stored !== null && isReason(stored) && stored !== USED_OTHERWISE ? stored : TRANSACTION_FAILED
}

const TRANSACTION_FAILED = 'invalid_exact_evm_transaction_failed' satisfies Reason

const storedReason = (text: string | null): Reason =>
  text !== null && isReason(text) ? text : 'unexpected_settle_error'

/** The answer to a payment that was refused before anything was stored. */
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
