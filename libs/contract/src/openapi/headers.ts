import {
  PAYMENT_REQUIRED_HEADER,
  PAYMENT_RESPONSE_HEADER,
  PAYMENT_SIGNATURE_HEADER,
  X_PAYMENT_HEADER,
  X_PAYMENT_RESPONSE_HEADER,
} from '@callboard/x402'
import { isShared } from '../http-parts.ts'
import type { HttpBinding } from '../operation.ts'
import type { RefusalDeclaration } from '../refusal.ts'
import type { JsonObject } from './json-schema.ts'

const text = { type: 'string' }

/** Every answer header that may interest a client, as `components.headers`. */
export const HEADERS = {
  'X-Request-Id': {
    required: true,
    description: 'Identifies the request in the logs of this service.',
    schema: { type: 'string', format: 'uuid' },
  },
  RateLimit: {
    description: 'What remains of the limit class, and in how many seconds it is full again.',
    schema: text,
    example: '"read";r=199;t=1',
  },
  'RateLimit-Policy': {
    description: 'How many requests the limit class allows in how many seconds (draft-ietf-httpapi-ratelimit-headers).',
    schema: text,
    example: '"read";q=200;w=10',
  },
  'Retry-After': {
    description: 'The number of seconds to wait before repeating the request.',
    schema: { type: 'integer', minimum: 0 },
  },
  'WWW-Authenticate': {
    description:
      'The expected credential: `Bearer` with the resource metadata (RFC 6750 §3, RFC 9728 §5.1), `Cookie` if only ' +
      'an owner’s session is accepted, `Basic` if an OAuth client used it.',
    schema: text,
  },
  ETag: { description: 'The version of the answered resource (RFC 9110 §8.8.3).', schema: text },
  'Content-Encoding': {
    description: 'The coding of the body, one that `Accept-Encoding` allows; absent if the body is sent uncompressed.',
    schema: { type: 'string', enum: ['br', 'gzip'] },
  },
  'Content-Digest': { description: 'The digest of the body (RFC 9530 §2).', schema: text },
  'Signature-Input': { description: 'What each signature covers, and by which key (RFC 9421 §4.1).', schema: text },
  Signature: { description: 'The signatures of this answer (RFC 9421 §4.2).', schema: text },
  'Set-Cookie': { description: 'The session cookie, set, renewed or cleared.', schema: text },
  Location: { description: 'Where the browser goes next.', schema: { type: 'string', format: 'uri-reference' } },
  Deprecation: { description: 'The path is deprecated; `Link` names its successor.', schema: { const: 'true' } },
  Link: {
    description:
      'Links with the relations `api-catalog` (RFC 9727) and, on deprecated paths, `successor-version` (RFC 5829).',
    schema: text,
  },
  [PAYMENT_REQUIRED_HEADER]: {
    description: 'The offer: `PaymentRequired` as base64-encoded JSON (x402 version 2).',
    schema: text,
  },
  [PAYMENT_RESPONSE_HEADER]: {
    description: 'The settlement: `SettleResponse` as base64-encoded JSON, if the payment used version 2.',
    schema: text,
  },
  [X_PAYMENT_RESPONSE_HEADER]: {
    description: 'The settlement: `SettleResponse` as base64-encoded JSON, if the payment used version 1.',
    schema: text,
  },
} as const satisfies Readonly<Record<string, JsonObject>>

export type HeaderName = keyof typeof HEADERS

/** References to headers of an answer. */
export const headersOf = (names: readonly HeaderName[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const SETTLEMENT = [PAYMENT_RESPONSE_HEADER, X_PAYMENT_RESPONSE_HEADER] as const
const SIGNATURE = ['Content-Digest', 'Signature-Input', 'Signature'] as const
const LIMITS = ['RateLimit', 'RateLimit-Policy'] as const
/** Headers of answers that shared caches may store, which say nothing about the caller. */
export const SHARED = ['ETag', 'Content-Encoding'] as const

/** The headers on every answer of a route. */
const ofRoute = (http: HttpBinding, alias: boolean): HeaderName[] => [
  'X-Request-Id',
  ...(alias ? (['Deprecation'] as const) : []),
  ...(alias || http.linksCatalog ? (['Link'] as const) : []),
]

/** The headers of a success. */
export const headersOfSuccess = (http: HttpBinding, alias: boolean): HeaderName[] => [
  ...ofRoute(http, alias),
  ...(isShared(http) ? SHARED : LIMITS),
  ...(http.entityTag ? (['ETag'] as const) : []),
  ...(http.signed ? SIGNATURE : []),
  ...(http.paid ? SETTLEMENT : []),
  ...(http.mayPay ? ([PAYMENT_RESPONSE_HEADER] as const) : []),
  ...(http.auth === 'session' || http.sessionCookie ? (['Set-Cookie'] as const) : []),
]

/** The headers of a 304 answer, for a client that already has the content (RFC 9110 §15.4.5). */
export const headersOfUnchanged = (http: HttpBinding, alias: boolean): HeaderName[] => [
  ...ofRoute(http, alias),
  ...(isShared(http) ? [] : LIMITS),
  'ETag',
  ...(http.auth === 'session' ? (['Set-Cookie'] as const) : []),
]

/** Refusals sent before a request is counted. */
const UNCOUNTED = new Set(['unauthorized', 'unsolicited_request', 'request_timeout', 'headers_too_large'])

/** The headers of refusals with one status. */
export function headersOfRefusals(
  http: HttpBinding,
  alias: boolean,
  declarations: readonly RefusalDeclaration[],
): HeaderName[] {
  const status = declarations[0]?.status
  const isCounted =
    http.registrationToken || http.auth === 'router_key' || declarations.some(({ code }) => !UNCOUNTED.has(code))
  const mayBeSettled = http.mayPay && status !== 401 && status !== 400
  const challenges = status === 401 || declarations.some(({ code }) => code === 'insufficient_scope')
  return [
    ...ofRoute(http, alias),
    ...(isCounted ? LIMITS : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
    ...(challenges ? (['WWW-Authenticate'] as const) : []),
    ...(status === 402 && (http.paid || http.mayPay) ? ([PAYMENT_REQUIRED_HEADER] as const) : []),
    ...(mayBeSettled ? ([PAYMENT_RESPONSE_HEADER] as const) : []),
    ...(http.paid && (status === 402 || status === 503) ? SETTLEMENT : []),
  ]
}

/** Request headers that are not part of an operation's input. */
export const REQUEST_HEADERS = {
  Origin: {
    name: 'Origin',
    in: 'header',
    required: false,
    description: 'The origin of this service. Browsers send it automatically; other clients must set it.',
    schema: { type: 'string', format: 'uri' },
  },
  [PAYMENT_SIGNATURE_HEADER]: {
    name: PAYMENT_SIGNATURE_HEADER,
    in: 'header',
    required: false,
    description: 'The payment: an x402 version 2 payload as base64-encoded JSON. Without it, the answer is the offer.',
    schema: text,
  },
  [X_PAYMENT_HEADER]: {
    name: X_PAYMENT_HEADER,
    in: 'header',
    required: false,
    description: 'The payment of an x402 version 1 client.',
    schema: text,
  },
  'SIGN-IN-WITH-X': {
    name: 'SIGN-IN-WITH-X',
    in: 'header',
    required: false,
    description:
      'The sign-in of a wallet that spends its balance: the answer to the offer’s `sign-in-with-x` extension.',
    schema: text,
  },
} as const satisfies Readonly<Record<string, JsonObject>>

const inComponents = (name: keyof typeof REQUEST_HEADERS) => ({ $ref: `#/components/parameters/${name}` })

/** The headers that a route reads, apart from credentials and preconditions. */
export const requestHeadersOf = (http: HttpBinding): JsonObject[] => [
  ...(http.auth === 'session' && http.method !== 'GET' ? [inComponents('Origin')] : []),
  ...(http.paid ? [inComponents(PAYMENT_SIGNATURE_HEADER), inComponents(X_PAYMENT_HEADER)] : []),
  ...(http.mayPay ? [inComponents(PAYMENT_SIGNATURE_HEADER)] : []),
  ...(http.signsIn ? [inComponents('SIGN-IN-WITH-X')] : []),
]
