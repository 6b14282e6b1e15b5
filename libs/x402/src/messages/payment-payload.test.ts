import { describe, expect, test } from 'vitest'
import { AUTHORIZATION, PAYMENT, REQUIREMENTS, SIGNATURE } from '../../test/vectors.ts'
import { AnyPaymentPayload, Authorization, Eip3009Payload, PaymentPayload } from './payment-payload.ts'

const takes = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success

describe('Authorization', () => {
  test('default: returns the published vector unchanged', () => {
    expect(Authorization.parse(AUTHORIZATION)).toStrictEqual(AUTHORIZATION)
  })

  test.each(['from', 'to', 'value', 'validAfter', 'validBefore', 'nonce'])('error: is invalid without %s', (member) => {
    expect(takes(Authorization, { ...AUTHORIZATION, [member]: undefined })).toBe(false)
    expect(takes(Authorization, { ...AUTHORIZATION, [member]: null })).toBe(false)
  })

  test.each([
    ['a member that was not signed', { note: 1 }],
    ['a payer with a mistyped digit', { from: AUTHORIZATION.from.replace('C518', 'c518') }],
    ['a payee that is no address', { to: 'me' }],
    ['a value in hex', { value: '0x2710' }],
    ['a window that is a number', { validBefore: 1_900_000_000 }],
    ['a window before time', { validAfter: '-1' }],
    ['a nonce of 31 bytes', { nonce: AUTHORIZATION.nonce.slice(0, -2) }],
  ])('error: is invalid with %s', (_, change) => {
    expect(takes(Authorization, { ...AUTHORIZATION, ...change })).toBe(false)
  })
})

describe('Eip3009Payload', () => {
  test('behavior: a contract wallet’s signature can have any length', () => {
    for (const signature of ['0x', '0x1234', `${SIGNATURE}00`, SIGNATURE])
      expect(takes(Eip3009Payload, { signature, authorization: AUTHORIZATION })).toBe(true)
  })

  test.each([
    ['no signature', { authorization: AUTHORIZATION }],
    ['no authorization', { signature: SIGNATURE }],
    ['half a byte', { signature: '0x123', authorization: AUTHORIZATION }],
    ['a member beside them', { signature: SIGNATURE, authorization: AUTHORIZATION, permit2Authorization: {} }],
  ])('error: is invalid with %s', (_, payload) => {
    expect(takes(Eip3009Payload, payload)).toBe(false)
  })
})

describe('PaymentPayload', () => {
  test('default: accepts what a stock client sends, and keeps non-standard members', () => {
    const sent = {
      ...PAYMENT,
      resource: { url: 'https://api.example/weather', mimeType: 'application/json', quality: 5 },
      extensions: { 'payment-identifier': { info: { id: 'x' } } },
      note: 'hi',
    }
    expect(PaymentPayload.parse(sent)).toStrictEqual(sent)
    expect(AnyPaymentPayload.parse(sent)).toStrictEqual(sent)
  })

  test('behavior: null members count as absent, even within payload and extensions', () => {
    const payload = { ...PAYMENT.payload, permit2Authorization: null }
    const nulled = { ...PAYMENT, resource: null, extensions: { bazaar: null }, payload }
    expect(PaymentPayload.parse(nulled)).toStrictEqual({ ...PAYMENT, extensions: {} })
    expect(PaymentPayload.parse({ ...PAYMENT, extensions: null })).toStrictEqual(PAYMENT)
  })

  test.each([
    ['version 1', { x402Version: 1 }],
    ['the version as text', { x402Version: '2' }],
    ['no version', { x402Version: undefined }],
    ['no entry that was chosen', { accepted: undefined }],
    ['an entry without its price', { accepted: { ...REQUIREMENTS, amount: undefined } }],
    ['no payload', { payload: undefined }],
    ['a resource without a URL', { resource: { description: 'Weather' } }],
    ['extensions that are a list', { extensions: [] }],
  ])('error: is invalid with %s', (_, change) => {
    expect(takes(PaymentPayload, { ...PAYMENT, ...change })).toBe(false)
    expect(takes(AnyPaymentPayload, { ...PAYMENT, ...change })).toBe(false)
  })

  test('behavior: only the wide schema reads a payload of another kind', () => {
    const foreign = { ...PAYMENT, payload: { permit2Authorization: {}, signature: '0x' } }
    expect([takes(PaymentPayload, foreign), takes(AnyPaymentPayload, foreign)]).toEqual([false, true])
    expect(takes(AnyPaymentPayload, { ...PAYMENT, payload: 'signed' })).toBe(false)
  })
})
