import {
  decodePaymentRequiredHeader,
  decodePaymentResponseHeader,
  decodePaymentSignatureHeader,
  encodePaymentRequiredHeader,
  encodePaymentSignatureHeader,
} from '@x402/core/http'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { PAYER, PAYMENT, REQUIREMENTS, V1_PAYMENT } from '../../test/vectors.ts'
import {
  decodeHeader,
  decodePaymentRequired,
  decodePaymentResponse,
  decodePaymentSignature,
  decodeXPayment,
  decodeXPaymentResponse,
  encodeHeader,
  MAX_PAYMENT_HEADER,
  PAYMENT_REQUIRED_HEADER,
  PAYMENT_RESPONSE_HEADER,
  PAYMENT_SIGNATURE_HEADER,
  X_PAYMENT_HEADER,
  X_PAYMENT_RESPONSE_HEADER,
} from './headers.ts'
import { Offer } from './payment-required.ts'

const OFFER = Offer.parse({
  x402Version: 2,
  error: 'PAYMENT-SIGNATURE header is required',
  resource: { url: 'https://api.example/weather', description: 'Wétter', mimeType: 'application/json' },
  accepts: [REQUIREMENTS],
  extensions: { 'builder-code': { info: { a: 'app' }, schema: { type: 'object' } } },
})
const EVIDENCE = {
  success: true,
  payer: PAYER,
  transaction: `0x${'ab'.repeat(32)}`,
  network: 'eip155:8453',
  amount: '10000',
}

const withoutHugeNumbers = (_: string, value: unknown) =>
  typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER ? 0 : value

const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('codecs', () => {
  test('default: an encoded value decodes to itself', () => {
    expect(decodePaymentRequired(encodeHeader(OFFER))).toEqual({ ok: true, value: OFFER })
    expect(decodePaymentSignature(encodeHeader(PAYMENT))).toEqual({ ok: true, value: PAYMENT })
    expect(decodeXPayment(encodeHeader(V1_PAYMENT))).toEqual({ ok: true, value: V1_PAYMENT })
    expect(decodePaymentResponse(encodeHeader(EVIDENCE))).toEqual({ ok: true, value: EVIDENCE })
  })

  test('behavior: any JSON object survives encoding and decoding', () => {
    const anything = z.record(z.string(), z.unknown())
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 4 })), (value) => {
        const plain = JSON.parse(JSON.stringify(value, withoutHugeNumbers))
        fc.pre(!JSON.stringify(plain).includes('__proto__'))
        expect(decodeHeader(anything, encodeHeader(plain))).toEqual({ ok: true, value: plain })
      }),
    )
  })

  test('behavior: @x402/core reads what we write and writes what we read, byte for byte', () => {
    expect(encodeHeader(PAYMENT)).toBe(
      encodePaymentSignatureHeader(PAYMENT as Parameters<typeof encodePaymentSignatureHeader>[0]),
    )
    expect(encodeHeader(OFFER)).toBe(
      encodePaymentRequiredHeader(OFFER as Parameters<typeof encodePaymentRequiredHeader>[0]),
    )
    expect(decodePaymentSignatureHeader(encodeHeader(PAYMENT))).toEqual(PAYMENT)
    expect(decodePaymentRequiredHeader(encodeHeader(OFFER))).toEqual(OFFER)
    expect(decodePaymentResponseHeader(encodeHeader(EVIDENCE))).toEqual(EVIDENCE)
  })

  test('behavior: unknown members of an accepted entry are kept for the echo', () => {
    const accepted = { ...REQUIREMENTS, asset: REQUIREMENTS.asset.toLowerCase(), outputSchema: { a: 1 } }
    const read = decodePaymentSignature(encodeHeader({ ...PAYMENT, accepted }))
    expect(read).toMatchObject({ ok: true, value: { accepted } })
  })

  test('behavior: version 1 evidence is read as base64 and as bare JSON', () => {
    expect(decodeXPaymentResponse(encodeHeader(EVIDENCE))).toEqual({ ok: true, value: EVIDENCE })
    expect(decodeXPaymentResponse(JSON.stringify(EVIDENCE))).toEqual({ ok: true, value: EVIDENCE })
  })
})

test('the header names are those of the standard', () => {
  expect([PAYMENT_REQUIRED_HEADER, PAYMENT_SIGNATURE_HEADER, PAYMENT_RESPONSE_HEADER]).toEqual([
    'PAYMENT-REQUIRED',
    'PAYMENT-SIGNATURE',
    'PAYMENT-RESPONSE',
  ])
  expect([X_PAYMENT_HEADER, X_PAYMENT_RESPONSE_HEADER]).toEqual(['X-PAYMENT', 'X-PAYMENT-RESPONSE'])
})

describe('limits', () => {
  const filled = (value: object, length: number) => {
    const bare = encodeHeader({ ...value, note: '' }).length
    return encodeHeader({ ...value, note: 'x'.repeat(Math.floor(((length - bare) * 3) / 4)) })
  }

  test('behavior: a payment can have 32 KiB, and an offer 128 KiB', () => {
    for (const [decode, value, limit] of [
      [decodePaymentSignature, PAYMENT, 32_768],
      [decodePaymentRequired, OFFER, 131_072],
    ] as const) {
      const longest = filled(value, limit)
      expect(longest.length).toBe(limit)
      expect(decode(longest).ok).toBe(true)
      expect(decode(`${longest}A`)).toStrictEqual({ ok: false, reason: 'too_large' })
    }
  })

  test('behavior: bare JSON has the same limit as base64', () => {
    const bare = JSON.stringify(EVIDENCE)
    expect(decodeXPaymentResponse(bare.padStart(32_768)).ok).toBe(true)
    expect(decodeXPaymentResponse(bare.padStart(32_769))).toStrictEqual({ ok: false, reason: 'too_large' })
  })
})

describe('refusals', () => {
  test.each([
    ['A'.repeat(MAX_PAYMENT_HEADER + 1), 'too_large'],
    ['', 'not_base64'],
    ['@@@', 'not_base64'],
    ['eyJ4-_', 'not_base64'],
    ['A', 'not_base64'],
    [`${base64('{}')}\n`, 'not_base64'],
    [Buffer.from([0xff, 0xfe]).toString('base64'), 'not_utf8'],
    [base64('nonsense'), 'not_json'],
    [base64('{"x402Version":2,"x402Version":1}'), 'duplicate_key'],
    [base64('{"__proto__":{"x402Version":2}}'), 'forbidden_key'],
    [base64('{"x402Version":1e400}'), 'number_out_of_range'],
    [base64(`{"a":${'['.repeat(200)}${']'.repeat(200)}}`), 'too_deep'],
    [base64('[]'), 'wrong_shape'],
    [base64('null'), 'wrong_shape'],
  ])('error: %.20s is refused as %s', (text, reason) => {
    expect(decodePaymentSignature(text)).toMatchObject({ ok: false, reason })
  })

  test('error: names a repeated key by its first 64 characters', () => {
    const of = (key: string) => decodePaymentSignature(base64(`{"${key}":1,"${key}":2}`))
    expect(of('amount')).toMatchObject({ reason: 'duplicate_key', detail: 'amount' })
    expect(of('x'.repeat(65))).toMatchObject({ detail: 'x'.repeat(64) })
    expect(decodePaymentSignature(base64('nonsense'))).toStrictEqual({ ok: false, reason: 'not_json' })
  })

  test('error: names a value of another kind as such', () => {
    expect(decodePaymentSignature(base64('[]'))).toMatchObject({ detail: expect.stringMatching(/^value: ./) })
  })

  test('error: names a wrong member', () => {
    const read = decodePaymentSignature(encodeHeader({ ...PAYMENT, accepted: { ...REQUIREMENTS, network: 'base' } }))
    expect(read).toMatchObject({ reason: 'wrong_shape', detail: expect.stringContaining('accepted.network') })
  })

  test('behavior: no decoder throws, whatever the bytes', () => {
    const decoders = [
      decodePaymentRequired,
      decodePaymentSignature,
      decodePaymentResponse,
      decodeXPayment,
      decodeXPaymentResponse,
    ]
    const noise = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.json().map(base64),
      fc.uint8Array().map((b) => Buffer.from(b).toString('base64')),
    )
    fc.assert(fc.property(noise, (text) => decoders.every((decode) => typeof decode(text).ok === 'boolean')))
  })
})
