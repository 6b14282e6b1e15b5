import type { Address, Hex } from '@callboard/values'
import { sha256 } from 'viem/utils'
import { toUtf8 } from '../base64.ts'
import type { PaymentRequirements } from '../messages/payment-requirements.ts'

/** The request that a payment buys. */
export interface PaidRequest {
  readonly method: string
  /** Absolute URL or path with query; the fragment is ignored. */
  readonly url: string
  readonly body?: Uint8Array
  /** The recipient of what is bought, if that is not the payer: the authenticated owner of a top-up. */
  readonly owner?: string
}

/** The terms a payment was made on. */
export type PaidTerms = Pick<PaymentRequirements, 'scheme' | 'network' | 'asset' | 'amount' | 'payTo'>

/**
 * Normalizes a path and query: escapes in capitals, dots resolved, parameters sorted by name.
 * @param url absolute URL or origin-form target; a target such as `//host/path` is a path and names no host
 * @throws TypeError when the text is neither
 */
export function canonicalTarget(url: string): string {
  const { pathname, searchParams } = new URL(url.startsWith('/') ? `http://localhost${url}` : url)
  searchParams.sort()
  const path = pathname.replace(/%[0-9a-f]{2}/gi, canonicalEscape)
  return searchParams.size > 0 ? `${path}?${searchParams}` : path
}

/** An escaped unreserved character becomes the character itself; other escapes are capitalized (RFC 3986 6.2.2). */
function canonicalEscape(escaped: string): string {
  const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
  return /[A-Za-z0-9\-._~]/.test(character) ? character : escaped.toUpperCase()
}

const digest = (parts: readonly string[]): Hex => sha256(toUtf8(JSON.stringify(parts)))

const requestParts = ({ method, url, body, owner }: PaidRequest): string[] => [
  method.toUpperCase(),
  canonicalTarget(url),
  sha256(body ?? new Uint8Array()),
  owner?.toLowerCase() ?? '',
]

/**
 * SHA-256 of a request alone. A `payment-identifier` is bound to it, so that the same request may be repeated with
 * another authorization and still get its stored answer.
 */
export const requestFingerprint = (request: PaidRequest): Hex => digest(['x402/request', ...requestParts(request)])

/**
 * SHA-256 of a request, the terms and the authorization together. The `exact` payload does not name what is bought;
 * storing this under the payment key does, so a payment cannot be presented again for something else.
 */
export const paymentFingerprint = (request: PaidRequest, terms: PaidTerms, from: Address, nonce: Hex): Hex =>
  digest([
    'x402/payment',
    ...requestParts(request),
    terms.scheme,
    terms.network,
    terms.asset.toLowerCase(),
    terms.amount,
    terms.payTo.toLowerCase(),
    from.toLowerCase(),
    nonce.toLowerCase(),
  ])
