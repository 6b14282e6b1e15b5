import type { agents, FacilitatorRequest, InputOf, OutputOf, x402Facilitator } from '@callboard/contract'
import type { Chain } from '@callboard/evm'
import { type Address, type Refusal, refuse } from '@callboard/values'

/** A signed order to move USDC, and its chain. */
export type Transfer = Omit<InputOf<typeof agents.relayTransfer>, 'requester'>
type Settled = OutputOf<typeof x402Facilitator.settle>

/** `relay` settles it · `report` answers with its outcome, in case it was accepted while its payee was a sibling. */
export type Ruling = 'relay' | 'report' | Refusal<'invalid_request' | 'recipient_not_allowed'>

const EXPIRED = 'invalid_exact_evm_payload_authorization_valid_before'
const MAX_TIMEOUT_SECONDS = 300
const PENDING_RETRY_SECONDS = 2

/**
 * Whether an agent's authorization may be relayed.
 * @param payee the state of the owner's link to the payee, if there is or was one
 */
export function ruleOn(
  { from, to, value }: Transfer['authorization'],
  { wallet, owner }: { readonly wallet: Address; readonly owner: Address },
  payee: 'approving' | 'live' | 'ending' | 'over' | undefined,
): Ruling {
  if (from !== wallet) return notAllowed('from', 'It must be the wallet of the requesting agent.')
  if (to === from) return notAllowed('to', 'An agent cannot pay itself.')
  if (value === '0') return badInput('value', 'It must be more than 0.')
  if (to === owner || payee === 'live') return 'relay'
  return payee === 'ending' || payee === 'over' ? 'report' : notPayee
}

const notAllowed = (member: 'from' | 'to', message: string) =>
  refuse('recipient_not_allowed', { field: `authorization.${member}`, message })

const badInput = (member: 'value' | 'validBefore', message: string) =>
  refuse('invalid_request', { field: `authorization.${member}`, message })

/** For payees other than the owner and their live agents. */
export const notPayee = notAllowed('to', 'It must be the agent’s owner, or the wallet of another of their live agents.')

export const notServed = refuse('unsupported_network', {
  field: 'network',
  message: 'This instance does not settle USDC on that network.',
})

/**
 * The x402 payment equivalent to an authorization. It names no resource, so nothing appears in the discovery of paid
 * resources.
 */
export function paymentOf({ network, authorization, signature }: Transfer, { usdc }: Chain): FacilitatorRequest {
  const requirements = {
    scheme: 'exact',
    network,
    amount: authorization.value,
    asset: usdc.address,
    payTo: authorization.to,
    maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
    extra: { name: usdc.name, version: usdc.version, assetTransferMethod: 'eip3009' },
  }
  return {
    x402Version: 2,
    paymentPayload: { x402Version: 2, accepted: requirements, payload: { signature, authorization } },
    paymentRequirements: requirements,
  }
}

/**
 * The answer to the agent for the facilitator's result. Only the facilitator can tell an authorization that expired
 * unused from one that was settled in time and is repeated.
 */
export function answerOf({ success, ...settled }: Settled) {
  if (success) return { ...settled, success }
  const { errorReason: reason = 'unexpected_settle_error', transaction } = settled
  const sent = transaction === '' ? {} : { transaction }
  if (reason === 'settlement_pending') {
    const message =
      'The transfer was accepted, but its outcome is not known yet. Repeat it with the same authorization.'
    return refuse('settlement_pending', { message, details: sent, retryAfterSeconds: PENDING_RETRY_SECONDS })
  }
  if (reason === EXPIRED && transaction === '')
    return badInput('validBefore', 'It has passed, or is too soon for the transfer to be mined.')
  if (reason === 'invalid_network') return notServed
  return refuse('transfer_failed', { details: { reason, ...sent } })
}
