import type { Address, Caip2 } from '@callboard/values'
import {
  type Confirmation,
  type ConfirmationPolicy,
  checkAuthorization,
  type ExactTransfer,
  isErc6492,
  isObject,
  type PresentedPayment,
  type PresentedRequest,
  type Reason,
  readPresentedPayment,
  reasonIn,
  type SettledToken,
  type V1Networks,
  VALID_BEFORE_MARGIN_SECONDS,
} from '@callboard/x402'
import { CONFIRMATION_FIELD, policyAsked } from './confirmation.ts'

/** What a payment is checked against before any chain is asked. */
export interface AdmissionRules {
  readonly tokens: readonly SettledToken[]
  readonly v1Networks: V1Networks
  /** Whether version 1 payments are accepted. */
  readonly v1: boolean
  /** Unix seconds. */
  readonly now: number
  /** Seconds for which an authorization must still be valid, by network. */
  readonly marginSeconds: ReadonlyMap<string, number>
  /** Our accounts that send settlements; none of them may be a payee. */
  readonly signers: readonly Address[]
  /** The confirmation policies of payments, by network. */
  readonly confirmations: ReadonlyMap<Caip2, ConfirmationPolicy>
}

type Details = Pick<NotAdmitted, 'payer' | 'message' | 'field'>

/** A payment as read from its request. */
export interface ReadPayment {
  readonly payment: PresentedPayment
  readonly transfer: ExactTransfer
  /** From which confirmation on it counts for this caller. */
  readonly policy: Confirmation
}

/** A refusal that cost nothing. */
export interface NotAdmitted {
  readonly ok: false
  readonly x402Version: 1 | 2
  readonly reason: Reason
  /** What is wrong, where the reason alone does not say. */
  readonly message?: string
  /** The member of the request that its seller has to fix; absent where the payment itself is at fault. */
  readonly field?: string
  readonly payer?: Address
  /** The payment, where only its time window is wrong: it may have been settled while the window was open. */
  readonly outOfWindow?: ReadPayment
}

export type Admission = ({ readonly ok: true } & ReadPayment) | NotAdmitted

/** Makes every check of a payment that needs no chain, in the standard facilitator's order. The first failure wins. */
export function admit(request: PresentedRequest, rules: AdmissionRules): Admission {
  const x402Version = versionOf(request)
  const refused = (reason: Reason, { payer, message, field }: Details = {}): NotAdmitted => ({
    ok: false,
    x402Version,
    reason: reasonIn(x402Version, reason),
    ...(message === undefined ? {} : { message }),
    ...(field === undefined ? {} : { field }),
    ...(payer ? { payer } : {}),
  })
  if (x402Version === 1 && !rules.v1) return refused('invalid_x402_version')
  const read = readPresentedPayment(request, rules.v1Networks)
  if (!read.ok) return refused(read.reason, read)

  const { payment } = read
  const { authorization, signature } = payment.payload
  const { tokens, signers, now } = rules
  const rule = rules.confirmations.get(payment.requirement.network)
  const asked = rule && policyAsked(payment.requirement, rule)
  if (asked && !asked.ok) {
    const { message } = asked
    return refused('invalid_payment_requirements', { payer: authorization.from, message, field: CONFIRMATION_FIELD })
  }
  // A network without a rule is not served; the check below finds that.
  const policy = asked?.policy ?? 'included'
  const marginSeconds = rules.marginSeconds.get(payment.requirement.network) ?? VALID_BEFORE_MARGIN_SECONDS
  const checked = checkAuthorization(payment, { tokens, signers, now, marginSeconds })
  if (!checked.ok) {
    const transfer = inItsWindow(payment, rules)
    return { ...refused(checked.reason, checked), ...(transfer ? { outOfWindow: { payment, transfer, policy } } : {}) }
  }
  if (isErc6492(signature)) return refused('eip6492_factory_not_allowed', { payer: authorization.from })
  return { ok: true, payment, transfer: checked.transfer, policy }
}

/** The version a caller uses, by its payment or else by its request: the answer uses that version's reasons. */
function versionOf({ x402Version, paymentPayload }: PresentedRequest): 1 | 2 {
  const claimed = isObject(paymentPayload) ? (paymentPayload.x402Version ?? x402Version) : x402Version
  return claimed === 1 ? 1 : 2
}

/**
 * The transfer as checked at the first moment of its window, since the last one may exceed a number's range; undefined
 * where more than its timing is wrong.
 */
function inItsWindow(payment: PresentedPayment, { tokens, signers }: AdmissionRules): ExactTransfer | undefined {
  const now = Number(payment.payload.authorization.validAfter)
  const checked = checkAuthorization(payment, { tokens, signers, now, marginSeconds: 0 })
  return checked.ok ? checked.transfer : undefined
}
