import { z } from 'zod'
import { isObject, own } from '../json.ts'
import type { Extensions, OfferedExtension } from '../messages/payment-required.ts'
import { extensionInfo } from './extensions.ts'

/** Key of the extension that lets a client name its request, so that a repeat gets the stored answer. */
export const PAYMENT_IDENTIFIER = 'payment-identifier'

/** The identifier a client chooses: 16–128 of letters, digits, `-` and `_`. */
export const PaymentId = z.string().regex(/^[a-zA-Z0-9_-]{16,128}$/)

/** The extension a server advertises: whether it requires an identifier with every payment. */
export const offerPaymentIdentifier = (required: boolean): OfferedExtension => ({
  info: { required },
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      required: { type: 'boolean' },
      id: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[a-zA-Z0-9_-]+$' },
    },
    required: ['required'],
  },
})

export type PaymentIdentifierRead =
  | { readonly kind: 'absent' }
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'malformed' }
  /** The offer required an identifier and the payment has none: 400. */
  | { readonly kind: 'missing' }

/**
 * Reads a payment's identifier and compares it with what was advertised. One that was not asked for also counts. Bind
 * it to the request fingerprint before the payment is verified: same id and request → the stored answer, same id and
 * another request → 409.
 * @source x402 extension payment-identifier
 */
export function readPaymentIdentifier(
  advertised: Extensions | undefined,
  echoed: Extensions | undefined,
): PaymentIdentifierRead {
  const info = infoOf(echoed)
  const id = info && own(info, 'id')
  if (id !== undefined) {
    const read = PaymentId.safeParse(id)
    return read.success ? { kind: 'id', id: read.data } : { kind: 'malformed' }
  }
  return infoOf(advertised)?.required === true ? { kind: 'missing' } : { kind: 'absent' }
}

/** The advertised extensions with the client's identifier added; unchanged where the server does not advertise it. */
export function withPaymentIdentifier(advertised: Extensions, id: string): Extensions {
  const extension = own(advertised, PAYMENT_IDENTIFIER)
  if (!isObject(extension)) return advertised
  const info = isObject(extension.info) ? extension.info : {}
  return { ...advertised, [PAYMENT_IDENTIFIER]: { ...extension, info: { ...info, id } } }
}

function infoOf(extensions: Extensions | undefined): Record<string, unknown> | undefined {
  const info = extensions && extensionInfo(own(extensions, PAYMENT_IDENTIFIER))
  return isObject(info) ? info : undefined
}
