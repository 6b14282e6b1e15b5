import { type Address, type BaseUnits, type Caip2, chainIdOf, type Hex } from '@callboard/values'
import { AddressText } from '../address.ts'
import type { Authorization } from '../messages/payment-payload.ts'
import type { PresentedPayment } from '../messages/presented-payment.ts'
import { type Reason, reasonIn } from '../messages/reasons.ts'
import { authorizationDigest, type TokenDomain } from './eip3009.ts'

/** Seconds for which an authorization must still be valid when it is verified, so that it can be mined. */
export const VALID_BEFORE_MARGIN_SECONDS = 6

/** A token we settle. No others are touched: a foreign token can lie about its name or burn our gas. */
export interface SettledToken {
  readonly network: Caip2
  readonly asset: Address
  /** EIP-712 domain of the token. */
  readonly name: string
  readonly version: string
}

/** A payment that passed every free check: all that the signature check, chain reads and settlement need. */
export interface ExactTransfer {
  readonly x402Version: 1 | 2
  readonly network: Caip2
  readonly asset: Address
  readonly payTo: Address
  readonly amount: BaseUnits
  readonly domain: TokenDomain
  readonly authorization: Authorization
  readonly signature: Hex
}

export type AuthorizationVerdict =
  | { readonly ok: true; readonly transfer: ExactTransfer }
  /** `message` tells what is wrong, where the reason alone does not. */
  | { readonly ok: false; readonly reason: Reason; readonly payer: Address; readonly message?: string }

export interface CheckConditions {
  readonly tokens: readonly SettledToken[]
  /** Unix seconds. */
  readonly now: number
  /** Raise it to block time × confirmations if a payment must be final before it counts. */
  readonly marginSeconds?: number
  /** Accounts that send settlements: they hold only gas, and money sent to them reaches no payee. */
  readonly signers?: readonly Address[]
}

/**
 * Makes every check that costs nothing: scheme, domain, network, token, payee, amount, payment to a third party,
 * window. The first failure wins. `exact` means an equal amount in both versions. Only the digest shows which token was
 * signed for, so a signature for another token's domain is found later, as `invalid_exact_evm_signature`.
 */
export function checkAuthorization(payment: PresentedPayment, conditions: CheckConditions): AuthorizationVerdict {
  const { x402Version, requirement, payload } = payment
  const { authorization, signature } = payload
  const refused = (reason: Reason, message?: string): AuthorizationVerdict => ({
    ok: false,
    reason: reasonIn(x402Version, reason),
    payer: authorization.from,
    ...(message === undefined ? {} : { message }),
  })

  if (payment.scheme !== 'exact' || requirement.scheme !== 'exact') return refused('invalid_exact_evm_scheme')
  const { name, version, assetTransferMethod } = requirement.extra ?? {}
  if (!isText(name) || !isText(version)) return refused('invalid_exact_evm_missing_eip712_domain')
  if (assetTransferMethod !== undefined && assetTransferMethod !== 'eip3009') return refused('unsupported_payload_type')
  if (payment.network !== requirement.network) return refused('invalid_exact_evm_network_mismatch')

  const chainId = chainIdOf(requirement.network)
  const served = conditions.tokens.filter(({ network }) => network === requirement.network)
  if (chainId === undefined || served.length === 0) return refused('invalid_network')
  const asset = AddressText.safeParse(requirement.asset)
  const payTo = AddressText.safeParse(requirement.payTo)
  if (!asset.success || !payTo.success) return refused('invalid_payment_requirements')
  const token = served.find((one) => one.asset === asset.data)
  if (!token) return refused('invalid_payment_requirements')
  if (token.name !== name) return refused('invalid_exact_evm_token_name_mismatch')
  if (token.version !== version) return refused('invalid_exact_evm_token_version_mismatch')

  if (authorization.to !== payTo.data) return refused('invalid_exact_evm_recipient_mismatch')
  if (BigInt(authorization.value) !== BigInt(requirement.amount)) {
    return refused('invalid_exact_evm_payload_authorization_value_mismatch')
  }
  const idle = paysNobody(authorization, conditions)
  if (idle) return refused(idle.reason, idle.message)
  const window = windowFault(authorization, conditions.now, conditions.marginSeconds ?? VALID_BEFORE_MARGIN_SECONDS)
  if (window) return refused(window)

  const domain = { name, version, chainId, verifyingContract: token.asset }
  const { network, amount } = requirement
  return {
    ok: true,
    transfer: { x402Version, network, asset: token.asset, payTo: payTo.data, amount, domain, authorization, signature },
  }
}

/**
 * Why a transfer buys nothing although the token would accept it: it moves nothing, or no payee gains. Settling it
 * would cost only our gas. The reference facilitator has neither this check nor a reason for it.
 */
function paysNobody(
  { from, to, value }: Authorization,
  { signers }: CheckConditions,
): { reason: Reason; message: string } | undefined {
  if (BigInt(value) === 0n) {
    return { reason: 'invalid_payment_requirements', message: 'amount: must be more than 0, or nothing is paid.' }
  }
  if (from === to) return { reason: 'invalid_payload', message: 'authorization.to: the payer does not pay itself.' }
  if (signers?.includes(to)) {
    return { reason: 'invalid_payment_requirements', message: 'payTo: an account that sends settlements is no payee.' }
  }
  return undefined
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

function windowFault({ validAfter, validBefore }: Authorization, now: number, marginSeconds: number) {
  if (BigInt(validBefore) < BigInt(now + marginSeconds)) return 'invalid_exact_evm_payload_authorization_valid_before'
  if (BigInt(validAfter) > BigInt(now)) return 'invalid_exact_evm_payload_authorization_valid_after'
  return undefined
}

/** The EIP-712 digest that the payer of a transfer must have signed. */
export const transferDigest = ({ domain, authorization }: ExactTransfer): Hex =>
  authorizationDigest(domain, authorization)
