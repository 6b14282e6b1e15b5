import { parsePaymentRequired } from '@x402/core/schemas'
import { describe, expect, test } from 'vitest'
import { REQUIREMENTS } from '../../test/vectors.ts'
import { Offer, PaymentRequired } from './payment-required.ts'
import { ExactRequirements } from './payment-requirements.ts'

const OFFER = { x402Version: 2, resource: { url: 'https://api.example/weather' }, accepts: [REQUIREMENTS] }

describe('Offer', () => {
  test('default: our offers are valid for @x402/core too', () => {
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

describe('limits of emitted offers', () => {
  const takes = (resource: object) =>
    Offer.safeParse({ ...OFFER, resource: { ...OFFER.resource, ...resource } }).success
  const url = (length: number) => 'https://api.example/'.padEnd(length, 'x')
  const text = (length: number) => 'x'.repeat(length)

  test.each<[string, number, (length: number) => unknown]>([
    ['url', 2048, url],
    ['iconUrl', 2048, url],
    ['description', 1024, text],
    ['mimeType', 128, text],
    ['serviceName', 32, text],
  ])('behavior: %s has at most %i characters', (member, most, of) => {
    expect(takes({ [member]: of(most) })).toBe(true)
    expect(takes({ [member]: of(most + 1) })).toBe(false)
  })

  test('behavior: allows five tags of 32 characters, none of them empty', () => {
    expect(takes({ tags: ['a', 'b', 'c', 'd', 'x'.repeat(32)] })).toBe(true)
    expect(takes({ tags: ['x'.repeat(33)] })).toBe(false)
    expect(takes({ tags: [''] })).toBe(false)
  })

  test.each(['', 'é', 'xé', 'éx', 'x\n', '\tx', '\x7f'])('error: %j is not a service name', (serviceName) => {
    expect(takes({ serviceName })).toBe(false)
  })

  test('behavior: a service name can have any printable ASCII', () => {
    expect(takes({ serviceName: ' Weather & Co. ~' })).toBe(true)
  })

  test('behavior: allows extensions with info and schema, and an error message', () => {
    const extensions = { bazaar: { info: { a: 1 }, schema: { type: 'object' } } }
    expect(Offer.parse({ ...OFFER, error: 'Payment required', extensions })).toStrictEqual({
      ...OFFER,
      error: 'Payment required',
      extensions,
    })
    expect(Offer.safeParse({ ...OFFER, extensions: { bazaar: { ...extensions.bazaar, more: 1 } } }).success).toBe(false)
    expect(Offer.safeParse({ ...OFFER, x402Version: 1 }).success).toBe(false)
    expect(takes({ note: 1 })).toBe(false)
    expect(takes({ url: undefined })).toBe(false)
  })
})

describe('PaymentRequired', () => {
  const takes = (change: object) => PaymentRequired.safeParse({ ...OFFER, ...change }).success

  test('behavior: has 1 to 64 entries', () => {
    const of = (length: number) => takes({ accepts: Array.from({ length }, () => REQUIREMENTS) })
    expect([0, 1, 64, 65].map(of)).toEqual([false, true, true, false])
  })

  test('behavior: the URL of a resource has 1 to 2048 characters, of any form', () => {
    const of = (length: number) => takes({ resource: { url: 'x'.repeat(length) } })
    expect([0, 1, 2048, 2049].map(of)).toEqual([false, true, true, false])
  })

  test('behavior: null members count as absent', () => {
    const resource = { ...OFFER.resource, description: null, mimeType: null }
    expect(PaymentRequired.parse({ ...OFFER, error: null, extensions: null, resource })).toStrictEqual(OFFER)
  })

  test.each([
    { x402Version: 1 },
    { x402Version: '2' },
    { resource: undefined },
    { resource: { url: 7 } },
    { resource: { ...OFFER.resource, description: 7 } },
    { resource: { ...OFFER.resource, mimeType: 7 } },
    { error: 7 },
    { extensions: 'bazaar' },
  ])('error: refuses an offer with %j', (change) => {
    expect(takes(change)).toBe(false)
  })

  test('behavior: a third party’s non-standard members are kept, and its addresses stay as written', () => {
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
