import type { z } from 'zod'
import { fromBase64, fromUtf8, toBase64, toUtf8 } from '../base64.ts'
import { type JsonFault, readJson } from '../json.ts'
import { AnyPaymentPayload } from './payment-payload.ts'
import { PaymentRequired } from './payment-required.ts'
import { SettleResponse } from './settle-response.ts'
import { AnyV1PaymentPayload } from './v1.ts'

/** The x402 header names as the standard spells them; compare them case-insensitively. */
export const PAYMENT_REQUIRED_HEADER = 'PAYMENT-REQUIRED'
export const PAYMENT_SIGNATURE_HEADER = 'PAYMENT-SIGNATURE'
export const PAYMENT_RESPONSE_HEADER = 'PAYMENT-RESPONSE'
export const X_PAYMENT_HEADER = 'X-PAYMENT'
export const X_PAYMENT_RESPONSE_HEADER = 'X-PAYMENT-RESPONSE'

/** Longest payment header we read, in characters. A plain signed payment takes about 1,100. */
export const MAX_PAYMENT_HEADER = 32 * 1024
/** Longest third-party offer header we read, in characters: some sellers put their whole schema into it. */
export const MAX_OFFER_HEADER = 128 * 1024

/** Characters of a header's own text that a fault repeats. */
const MAX_DETAIL = 64

/** Why a header was not read; `wrong_shape` names the member at fault. */
export type HeaderFault = 'too_large' | 'ambiguous' | 'not_base64' | JsonFault | 'wrong_shape'

export type Decoded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: HeaderFault; readonly detail?: string }

/** A header value as servers and clients provide it: absent, one, or one per repetition. */
export type HeaderValue = string | readonly string[] | undefined

/** Standard base64 of the UTF-8 JSON of a value. */
export const encodeHeader = (value: object): string => toBase64(toUtf8(JSON.stringify(value)))

/** Reads base64 JSON into a schema. Never throws, and reads no text longer than `maxCharacters`. */
export function decodeHeader<T>(
  schema: z.ZodType<T>,
  text: string,
  maxCharacters: number = MAX_PAYMENT_HEADER,
): Decoded<T> {
  if (text.length > maxCharacters) return { ok: false, reason: 'too_large' }
  const bytes = fromBase64(text)
  if (!bytes?.length) return { ok: false, reason: 'not_base64' }
  const json = fromUtf8(bytes)
  return json === undefined ? { ok: false, reason: 'not_utf8' } : decodeJson(schema, json)
}

function decodeJson<T>(schema: z.ZodType<T>, json: string): Decoded<T> {
  const read = readJson(json)
  if (!read.ok) return { ...read, ...(read.key === undefined ? {} : { detail: read.key.slice(0, MAX_DETAIL) }) }
  const parsed = schema.safeParse(read.value)
  if (parsed.success) return { ok: true, value: parsed.data }
  const issue = parsed.error.issues[0]
  return { ok: false, reason: 'wrong_shape', detail: `${issue?.path.join('.') || 'value'}: ${issue?.message}` }
}

export const decodePaymentRequired = (text: string): Decoded<PaymentRequired> =>
  decodeHeader(PaymentRequired, text, MAX_OFFER_HEADER)

export const decodePaymentSignature = (text: string): Decoded<AnyPaymentPayload> =>
  decodeHeader(AnyPaymentPayload, text)

export const decodePaymentResponse = (text: string): Decoded<SettleResponse> => decodeHeader(SettleResponse, text)

export const decodeXPayment = (text: string): Decoded<AnyV1PaymentPayload> => decodeHeader(AnyV1PaymentPayload, text)

/** Version 1 evidence. Every SDK writes base64, and so do we; text that starts with `{` is read as bare JSON. */
export function decodeXPaymentResponse(text: string): Decoded<SettleResponse> {
  if (!text.trimStart().startsWith('{')) return decodePaymentResponse(text)
  return text.length > MAX_PAYMENT_HEADER ? { ok: false, reason: 'too_large' } : decodeJson(SettleResponse, text)
}
