import { describe, expect, test } from 'vitest'
import { REQUIREMENTS, V1_PAYMENT } from '../../test/vectors.ts'
import {
  AnyV1PaymentPayload,
  toV1Requirements,
  V1PaymentPayload,
  V1PaymentRequired,
  V1PaymentRequirements,
} from './v1.ts'

const ENTRY = toV1Requirements(REQUIREMENTS, { url: 'https://api.example/weather', description: 'Weather' })
const takes = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success

describe('V1PaymentRequirements', () => {
  test('default: accepts what sellers of version 1 send, and keeps non-standard members', () => {
    const sent = { ...ENTRY, outputSchema: { input: { type: 'http' } }, note: 'hi' }
    expect(V1PaymentRequirements.parse(sent)).toStrictEqual(sent)
    const nulled = { ...sent, resource: null, description: null, mimeType: null, outputSchema: null, extra: null }
    const { resource: _r, description: _d, mimeType: _m, outputSchema: _o, extra: _e, ...bare } = sent
    expect(V1PaymentRequirements.parse(nulled)).toStrictEqual(bare)
    expect(V1PaymentRequirements.parse({ ...sent, extra: { name: 'USDC', more: null } }).extra).toEqual({
      name: 'USDC',
    })
  })

  test.each([
    ['scheme', 1, 64],
    ['network', 1, 64],
    ['resource', 0, 2048],
    ['payTo', 1, 128],
    ['asset', 1, 128],
  ])('behavior: %s has from %i to %i characters', (member, least, most) => {
    const of = (length: number) => takes(V1PaymentRequirements, { ...ENTRY, [member]: 'x'.repeat(length) })
    expect([least, most, most + 1].map(of)).toEqual([true, true, false])
    if (least > 0) expect(of(least - 1)).toBe(false)
  })

  test.each(['scheme', 'network', 'maxAmountRequired', 'payTo', 'maxTimeoutSeconds', 'asset'])(
    'error: without %s it is not an entry',
    (member) => {
      expect(takes(V1PaymentRequirements, { ...ENTRY, [member]: undefined })).toBe(false)
    },
  )

  test.each([
    { maxAmountRequired: 10_000 },
    { maxTimeoutSeconds: 0 },
    { maxTimeoutSeconds: 1.5 },
    { description: 7 },
    { mimeType: 7 },
    { outputSchema: 'text' },
    { extra: 'text' },
  ])('error: refuses an entry with %j', (change) => {
    expect(takes(V1PaymentRequirements, { ...ENTRY, ...change })).toBe(false)
  })
})

describe('V1PaymentRequired', () => {
  const offer = { x402Version: 1, error: 'payment required', accepts: [ENTRY] }

  test('default: accepts an offer of one entry, and keeps non-standard members', () => {
    expect(V1PaymentRequired.parse({ ...offer, note: 'hi' })).toStrictEqual({ ...offer, note: 'hi' })
    expect(takes(V1PaymentRequired, { ...offer, error: null })).toBe(true)
  })

  test('behavior: has 1 to 64 entries', () => {
    const of = (length: number) => takes(V1PaymentRequired, { ...offer, accepts: Array.from({ length }, () => ENTRY) })
    expect([0, 1, 64, 65].map(of)).toEqual([false, true, true, false])
  })

  test.each([{ x402Version: 2 }, { x402Version: undefined }, { error: 7 }, { accepts: {} }, { accepts: [null] }])(
    'error: refuses an offer with %j',
    (change) => {
      expect(takes(V1PaymentRequired, { ...offer, ...change })).toBe(false)
    },
  )
})

describe('V1PaymentPayload', () => {
  test('default: accepts what a stock client sends, and keeps non-standard members', () => {
    const sent = { ...V1_PAYMENT, note: 'hi' }
    expect(V1PaymentPayload.parse(sent)).toStrictEqual(sent)
    expect(AnyV1PaymentPayload.parse(sent)).toStrictEqual(sent)
  })

  test.each(['scheme', 'network'])('behavior: %s has at most 64 characters', (member) => {
    const of = (length: number) => takes(V1PaymentPayload, { ...V1_PAYMENT, [member]: 'x'.repeat(length) })
    expect([64, 65].map(of)).toEqual([true, false])
  })

  test.each([{ x402Version: 2 }, { x402Version: undefined }, { scheme: 7 }, { network: undefined }, { payload: null }])(
    'error: refuses a payment with %j',
    (change) => {
      expect(takes(V1PaymentPayload, { ...V1_PAYMENT, ...change })).toBe(false)
      expect(takes(AnyV1PaymentPayload, { ...V1_PAYMENT, ...change })).toBe(false)
    },
  )

  test('behavior: only the wide schema reads a payload of another kind', () => {
    const foreign = { ...V1_PAYMENT, payload: { transaction: 'AQAB' } }
    expect([takes(V1PaymentPayload, foreign), takes(AnyV1PaymentPayload, foreign)]).toEqual([false, true])
  })
})
