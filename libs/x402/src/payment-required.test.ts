import { parsePaymentRequired } from '@x402/core/schemas'
import { describe, expect, test } from 'vitest'
import { REQUIREMENTS } from '../test/vectors.ts'
import { Offer, PaymentRequired } from './payment-required.ts'
import { ExactRequirements } from './payment-requirements.ts'

const OFFER = { x402Version: 2, resource: { url: 'https://api.example/weather' }, accepts: [REQUIREMENTS] }

describe('Offer', () => {
  test('default: what we emit is an offer for @x402/core too', () => {
    expect(parsePaymentRequired(Offer.parse(OFFER)).success).toBe(true)
  })

  test.each([
    ['no way to pay', { accepts: [] }],
    ['a member of no standard', { note: 'hi' }],
    ['a relative URL', { resource: { url: '/weather' } }],
    ['a service name beyond ASCII', { resource: { ...OFFER.resource, serviceName: 'Wétter' } }],
    ['six tags', { resource: { ...OFFER.resource, tags: ['a', 'b', 'c', 'd', 'e', 'f'] } }],
    ['an extension without a schema', { extensions: { bazaar: { info: {} } } }],
    ['another scheme', { accepts: [{ ...REQUIREMENTS, scheme: 'upto' }] }],
    ['a chain that is not EVM', { accepts: [{ ...REQUIREMENTS, network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }] }],
    ['no token domain', { accepts: [{ ...REQUIREMENTS, extra: {} }] }],
    ['no time to pay', { accepts: [{ ...REQUIREMENTS, maxTimeoutSeconds: 0 }] }],
  ])('error: %s is never emitted', (_, change) => {
    expect(Offer.safeParse({ ...OFFER, ...change }).success).toBe(false)
  })

  test('behavior: emitted addresses are EIP-55', () => {
    const lower = { ...REQUIREMENTS, payTo: REQUIREMENTS.payTo.toLowerCase(), asset: REQUIREMENTS.asset.toLowerCase() }
    expect(ExactRequirements.parse(lower)).toEqual(REQUIREMENTS)
  })
})

describe('PaymentRequired', () => {
  test("behavior: a third party's members of no standard are kept, and its addresses stay as written", () => {
    const accepts = [
      { ...REQUIREMENTS, payTo: REQUIREMENTS.payTo.toLowerCase(), outputSchema: { x: [1] }, extra: { more: true } },
    ]
    const foreign = { ...OFFER, accepts, note: 'hi', resource: { ...OFFER.resource, quality: 5 } }
    expect(PaymentRequired.parse(foreign)).toEqual(foreign)
  })

  test('behavior: an entry without extra gains none', () => {
    const { extra: _, ...entry } = REQUIREMENTS
    expect(PaymentRequired.parse({ ...OFFER, accepts: [entry] }).accepts).toEqual([entry])
  })
})
