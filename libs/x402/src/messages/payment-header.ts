import {
  decodePaymentSignature,
  decodeXPayment,
  type HeaderFault,
  type HeaderValue,
  PAYMENT_SIGNATURE_HEADER,
  X_PAYMENT_HEADER,
} from './headers.ts'
import type { AnyPaymentPayload } from './payment-payload.ts'
import type { AnyV1PaymentPayload } from './v1.ts'

/** The content of a request's payment headers. */
export type PaymentHeader =
  | { readonly kind: 'absent' }
  | { readonly kind: 'v2'; readonly payload: AnyPaymentPayload }
  | { readonly kind: 'v1'; readonly payload: AnyV1PaymentPayload }
  | { readonly kind: 'unreadable'; readonly reason: HeaderFault; readonly detail?: string }

const values = (value: HeaderValue): readonly string[] => (value === undefined ? [] : [value].flat())

/**
 * Reads the one payment of a request. Two payment headers, repeated or joined by a proxy, are `ambiguous`: two readers
 * could each pick a different one, so the request is refused instead of guessed.
 * @source x402 v2 HTTP transport; version 1 `X-PAYMENT`
 */
export function readPaymentHeader(paymentSignature: HeaderValue, xPayment: HeaderValue): PaymentHeader {
  const signatures = values(paymentSignature)
  const legacy = values(xPayment)
  const [only, ...others] = [...signatures, ...legacy]
  if (only === undefined) return { kind: 'absent' }
  if (others.length > 0 || only.includes(',')) return { kind: 'unreadable', reason: 'ambiguous' }
  if (signatures.length > 0) {
    const read = decodePaymentSignature(only)
    return read.ok ? { kind: 'v2', payload: read.value } : { ...read, kind: 'unreadable' }
  }
  const read = decodeXPayment(only)
  return read.ok ? { kind: 'v1', payload: read.value } : { ...read, kind: 'unreadable' }
}

/** The same for lower-cased request headers, as Node provides them. */
export const paymentHeaderOf = (headers: Readonly<Record<string, HeaderValue>>): PaymentHeader =>
  readPaymentHeader(headers[PAYMENT_SIGNATURE_HEADER.toLowerCase()], headers[X_PAYMENT_HEADER.toLowerCase()])
