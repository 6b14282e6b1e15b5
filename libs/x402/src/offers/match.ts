import { type Address, type Caip2, chainIdOf, ZERO_ADDRESS } from '@callboard/values'
import { AddressText } from '../address.ts'
import { type SettledToken, VALID_BEFORE_MARGIN_SECONDS } from '../authorization/check-authorization.ts'
import { contains, sameJson } from '../json.ts'
import type { ExactRequirements, PaymentRequirements } from '../messages/payment-requirements.ts'

const ignoringCase = (entry: PaymentRequirements): PaymentRequirements =>
  chainIdOf(entry.network) === undefined
    ? entry
    : { ...entry, asset: entry.asset.toLowerCase(), payTo: entry.payTo.toLowerCase() }

/**
 * Whether an accepted entry matches the required one: all members are equal; `extra` may have more than the required
 * ones. EVM addresses are compared case-insensitively. Amount and payee are still taken only from the requirement.
 * @source @x402/core 2.27, requirement matching
 */
export function matchesRequirement(required: PaymentRequirements, accepted: PaymentRequirements): boolean {
  const { extra: requiredExtra = {}, ...requiredTerms } = ignoringCase(required)
  const { extra: acceptedExtra = {}, ...acceptedTerms } = ignoringCase(accepted)
  return sameJson(requiredTerms, acceptedTerms) && contains(requiredExtra, acceptedExtra)
}

/** Our requirement that a payer accepted; undefined is answered with a 402, "No matching payment requirements". */
export const findRequirement = (
  offered: readonly ExactRequirements[],
  accepted: PaymentRequirements,
): ExactRequirements | undefined => offered.find((required) => matchesRequirement(required, accepted))

/** Why an entry cannot be paid, regardless of the rest of the offer. */
export type EntryFault =
  | 'scheme'
  | 'network'
  | 'asset'
  | 'gateway-batched'
  | 'transfer-method'
  | 'payment-flow'
  | 'eip712-domain'
  | 'payee'
  | 'amount'
  | 'timeout'

/**
 * Why no stock client pays an entry that is sound in itself: the offer declares another version, is not where clients
 * of its version look, lists first an entry that the client chooses and cannot pay, or is that of an MCP tool.
 */
export type OfferFault = 'version' | 'transport' | 'behind-unpayable' | 'mcp'

/** Why an offer can be shown but not paid. */
export type NotPayableReason = EntryFault | OfferFault

export type Payability =
  | { readonly payable: true; readonly token: SettledToken; readonly payTo: Address }
  | { readonly payable: false; readonly reason: NotPayableReason }

/**
 * Whether an offer is for Circle Gateway. Such offers call themselves `exact`, but their signature is for another
 * domain and Circle's ledger settles it: `transferWithAuthorization` cannot pay them.
 */
export function isGatewayBatched({ asset, extra }: PaymentRequirements): boolean {
  const contract = extra?.verifyingContract
  if (extra?.name === 'GatewayWalletBatched') return true
  return typeof contract === 'string' && contract.toLowerCase() !== asset.toLowerCase()
}

/** The flows that stock clients know; they skip any other. @source @x402/core 2.27, PAYMENT_FLOWS */
const FLOWS: readonly unknown[] = [undefined, null, 'authorization', 'upfront', 'escrow']

export const isKnownFlow = ({ extra }: Pick<PaymentRequirements, 'extra'>): boolean =>
  FLOWS.includes(extra?.paymentFlow)

/**
 * Whether an entry in itself can be paid with one EIP-3009 authorization of a token we know, and if not, why. The
 * effect of the offer around it is judged with the offer.
 */
export function payability(entry: PaymentRequirements, tokens: readonly SettledToken[]): Payability {
  const no = (reason: NotPayableReason): Payability => ({ payable: false, reason })
  if (entry.scheme !== 'exact') return no('scheme')
  const served = tokens.filter(({ network }) => network === entry.network)
  if (served.length === 0) return no('network')
  if (isGatewayBatched(entry)) return no('gateway-batched')
  const token = served.find(({ asset }) => asset.toLowerCase() === entry.asset.toLowerCase())
  if (!token) return no('asset')
  const { assetTransferMethod: method = 'eip3009', name, version } = entry.extra ?? {}
  if (method !== 'eip3009') return no('transfer-method')
  if (!isKnownFlow(entry)) return no('payment-flow')
  if (name !== token.name || version !== token.version) return no('eip712-domain')
  if (BigInt(entry.amount) === 0n) return no('amount')
  if (entry.maxTimeoutSeconds <= VALID_BEFORE_MARGIN_SECONDS) return no('timeout')
  const payTo = AddressText.safeParse(entry.payTo)
  // The token refuses a transfer to the zero address.
  return payTo.success && payTo.data !== ZERO_ADDRESS ? { payable: true, token, payTo: payTo.data } : no('payee')
}

/**
 * Chooses the entry to pay: the first payable one in the caller's order of networks, cheapest to use first. The caller
 * checks spending policy and balance.
 */
export function choosePayable(
  accepts: readonly PaymentRequirements[],
  tokens: readonly SettledToken[],
  networks: readonly Caip2[],
): PaymentRequirements | undefined {
  const payable = accepts.filter((entry) => payability(entry, tokens).payable)
  return networks.flatMap((network) => payable.filter((entry) => entry.network === network))[0]
}
