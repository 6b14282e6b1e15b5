import {
  appendPaymentIdentifierToExtensions,
  declarePaymentIdentifierExtension,
  generatePaymentId,
  isValidPaymentId,
} from '@x402/extensions/payment-identifier'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  offerPaymentIdentifier,
  PAYMENT_IDENTIFIER,
  PaymentId,
  readPaymentIdentifier,
  withPaymentIdentifier,
} from './payment-identifier.ts'

const ID = 'pay_0123456789abcdef'
const offering = (required: boolean) => ({ [PAYMENT_IDENTIFIER]: offerPaymentIdentifier(required) })

describe('payment-identifier', () => {
  test.each([true, false])('default: the offer with required %s equals that of @x402/extensions', (required) => {
    expect(offerPaymentIdentifier(required)).toEqual(declarePaymentIdentifierExtension(required))
  })

  test('behavior: an identifier is valid here exactly when it is for @x402/extensions', () => {
    const candidates = fc.oneof(fc.string({ maxLength: 140 }), fc.stringMatching(/^[a-zA-Z0-9_-]{10,140}$/))
    fc.assert(fc.property(candidates, (id) => PaymentId.safeParse(id).success === isValidPaymentId(id)))
    expect(PaymentId.safeParse(generatePaymentId()).success).toBe(true)
    expect(PaymentId.safeParse(`${ID}\n`).success).toBe(false)
  })

  test('behavior: a client adds its identifier as @x402/extensions does', () => {
    const advertised = { ...offering(false), other: { info: {} } }
    const added = withPaymentIdentifier(advertised, ID)
    expect(added).toEqual(appendPaymentIdentifierToExtensions(structuredClone(advertised), ID))
    expect(readPaymentIdentifier(advertised, added)).toEqual({ kind: 'id', id: ID })
  })

  test('behavior: a server that does not advertise it gets none', () => {
    expect(withPaymentIdentifier({ other: {} }, ID)).toEqual({ other: {} })
  })

  test('behavior: without an identifier it is absent, or missing where it was required', () => {
    expect(readPaymentIdentifier(undefined, undefined)).toEqual({ kind: 'absent' })
    expect(readPaymentIdentifier(offering(false), offering(false))).toEqual({ kind: 'absent' })
    expect(readPaymentIdentifier(offering(true), undefined)).toEqual({ kind: 'missing' })
    expect(readPaymentIdentifier(offering(true), offering(true))).toEqual({ kind: 'missing' })
  })

  test.each(['short', 'x'.repeat(129), 'with space 0123456789', 7, null])('error: %j is malformed', (id) => {
    expect(readPaymentIdentifier(offering(false), { [PAYMENT_IDENTIFIER]: { info: { id } } })).toEqual({
      kind: 'malformed',
    })
  })
})
