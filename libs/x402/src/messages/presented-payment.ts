import type { Caip2 } from '@callboard/values'
import { isObject } from '../json.ts'
import { AnyPaymentPayload, Eip3009Payload } from './payment-payload.ts'
import type { Extensions } from './payment-required.ts'
import { PaymentRequirements } from './payment-requirements.ts'
import { type Reason, reasonIn } from './reasons.ts'
import { AnyV1PaymentPayload, fromV1Requirements, V1PaymentRequirements } from './v1.ts'
import { V1_NETWORKS, type V1Networks } from './v1-networks.ts'

/** A payment and the requirement it is checked against, in one form for both protocol versions. */
export interface PresentedPayment {
  readonly x402Version: 1 | 2
  /** Scheme and network the payer claims to have accepted; the network is CAIP-2 for version 1, too. */
  readonly scheme: string
  readonly network: Caip2
  readonly payload: Eip3009Payload
  readonly extensions: Extensions
  readonly requirement: PaymentRequirements
}

/** The input of `/verify` and `/settle`; each inner object is read by its own version. */
export interface PresentedRequest {
  readonly x402Version?: unknown
  readonly paymentPayload: unknown
  readonly paymentRequirements: unknown
}

export type Presented =
  | { readonly ok: true; readonly payment: PresentedPayment }
  /** `message` tells what is not accepted, where the reason alone does not. */
  | { readonly ok: false; readonly reason: Reason; readonly message?: string }

/**
 * Reads a payment of either version into the internal form. A refusal uses that version's reasons; nothing here
 * compares the payment with the requirement.
 * @param networks version 1 names, extended by the caller for its own chains
 */
export function readPresentedPayment(request: PresentedRequest, networks: V1Networks = V1_NETWORKS): Presented {
  const version = isObject(request.paymentPayload) ? request.paymentPayload.x402Version : undefined
  if (version !== 1 && version !== 2) return { ok: false, reason: 'invalid_x402_version' }
  const refused = (reason: Reason, message?: string): Presented => ({
    ok: false,
    reason: reasonIn(version, reason),
    ...(message === undefined ? {} : { message }),
  })
  if (request.x402Version !== undefined && request.x402Version !== version) return refused('invalid_x402_version')

  const claim = version === 1 ? readV1Claim(request.paymentPayload, networks) : readV2Claim(request.paymentPayload)
  if (typeof claim === 'string') return refused(claim)
  const requirement = readRequirement(request.paymentRequirements, networks)
  if (typeof requirement === 'string') return refused(requirement)
  if (claim.scheme !== 'exact' && requirement.scheme !== 'exact') {
    return refused('unsupported_scheme', `The scheme ${named(requirement.scheme)} is not settled here; ${TAKEN}.`)
  }
  const method = methodOf(claim, requirement)
  if (method !== 'eip3009') {
    return refused('unsupported_payload_type', `The transfer method ${named(method)} is not settled here; ${TAKEN}.`)
  }
  const payload = Eip3009Payload.safeParse(claim.payload)
  if (!payload.success) return refused('invalid_payload')
  const { scheme, network, extensions } = claim
  const payment = { scheme, network, extensions, x402Version: version, payload: payload.data, requirement } as const
  return { ok: true, payment }
}

const TAKEN = 'only "exact" by "eip3009" is'

/** A word of the payment in the form in which an answer may repeat it. */
const named = (word: string): string => (/^[a-z0-9_-]{1,32}$/i.test(word) ? `"${word}"` : 'of the payment')

/** How a payment moves its money: by the offer, by the payer's claim, and by its payload. */
function methodOf({ method, payload }: Claim, { extra }: PaymentRequirements): string {
  if ('permit2Authorization' in payload) return 'permit2'
  if ('delegationManager' in payload || 'permissionContext' in payload) return 'erc7710'
  const said = [extra?.assetTransferMethod, method].find((one) => one !== undefined && one !== 'eip3009')
  if (said === undefined) return 'eip3009'
  return typeof said === 'string' ? said : ''
}

type Claim = Pick<PresentedPayment, 'scheme' | 'network' | 'extensions'> & {
  readonly payload: Record<string, unknown>
  /** The transfer method of the entry that the payer says it accepted. */
  readonly method?: unknown
}

function readV2Claim(value: unknown): Claim | Reason {
  const read = AnyPaymentPayload.safeParse(value)
  if (!read.success) return 'invalid_payload'
  const { accepted, payload, extensions = {} } = read.data
  return {
    scheme: accepted.scheme,
    network: accepted.network,
    payload,
    extensions,
    method: accepted.extra?.assetTransferMethod,
  }
}

function readV1Claim(value: unknown, networks: V1Networks): Claim | Reason {
  const read = AnyV1PaymentPayload.safeParse(value)
  if (!read.success) return 'invalid_payload'
  const network = networks.get(read.data.network)
  if (network === undefined) return 'invalid_network'
  return { scheme: read.data.scheme, network, payload: read.data.payload, extensions: {} }
}

/** A requirement of either version, regardless of the payment's: our own packages have only version 2 ones. */
function readRequirement(value: unknown, networks: V1Networks): PaymentRequirements | Reason {
  if (isObject(value) && 'maxAmountRequired' in value) {
    const entry = V1PaymentRequirements.safeParse(value)
    if (!entry.success) return 'invalid_payment_requirements'
    return fromV1Requirements(entry.data, networks) ?? 'invalid_network'
  }
  const read = PaymentRequirements.safeParse(value)
  return read.success ? read.data : 'invalid_payment_requirements'
}
