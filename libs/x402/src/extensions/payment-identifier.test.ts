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

  test('behavior: an identifier is valid exactly when it is valid for @x402/extensions', () => {
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

  test.each([{ other: {} }, {}, { [PAYMENT_IDENTIFIER]: null }, { [PAYMENT_IDENTIFIER]: 'yes' }])(
    'behavior: a server that advertises %j gets no identifier',
    (advertised) => {
      expect(withPaymentIdentifier(advertised, ID)).toBe(advertised)
    },
  )

  test('behavior: an identifier is added even where the advertised info is not an object', () => {
    const advertised = { [PAYMENT_IDENTIFIER]: { info: 'yes', schema: {} } }
    expect(withPaymentIdentifier(advertised, ID)).toEqual({ [PAYMENT_IDENTIFIER]: { info: { id: ID }, schema: {} } })
  })

  test('behavior: an extension without info is treated as its own info', () => {
    expect(readPaymentIdentifier(undefined, { [PAYMENT_IDENTIFIER]: { id: ID } })).toEqual({ kind: 'id', id: ID })
  })

  test.each([null, 'yes', ['id'], { info: null }, { info: 'id' }, { info: {} }])(
    'behavior: an echo of %j names no identifier',
    (echoed) => {
      expect(readPaymentIdentifier(offering(true), { [PAYMENT_IDENTIFIER]: echoed })).toEqual({ kind: 'missing' })
      expect(readPaymentIdentifier(undefined, { [PAYMENT_IDENTIFIER]: echoed })).toEqual({ kind: 'absent' })
    },
  )

  test('behavior: only true makes an identifier required', () => {
    for (const required of ['true', 1, {}])
      expect(readPaymentIdentifier({ [PAYMENT_IDENTIFIER]: { info: { required } } }, {})).toEqual({ kind: 'absent' })
  })

  test('behavior: an identifier has 16 to 128 characters', () => {
    const of = (length: number) => PaymentId.safeParse('x'.repeat(length)).success
    expect([15, 16, 128, 129].map(of)).toEqual([false, true, true, false])
  })

  test('behavior: without an identifier the result is absent, or missing where one is required', () => {
    expect(readPaymentIdentifier(undefined, undefined)).toEqual({ kind: 'absent' })
    expect(readPaymentIdentifier(offering(false), offering(false))).toEqual({ kind: 'absent' })
    expect(readPaymentIdentifier(offering(true), undefined)).toEqual({ kind: 'missing' })
    expect(readPaymentIdentifier(offering(true), offering(true))).toEqual({ kind: 'missing' })
  })

  test.each([` ${ID}`, 'short', 'x'.repeat(129), 'with space 0123456789', 7, null])('error: %j is malformed', (id) => {
    expect(readPaymentIdentifier(offering(false), { [PAYMENT_IDENTIFIER]: { info: { id } } })).toEqual({
      kind: 'malformed',
    })
  })
})
