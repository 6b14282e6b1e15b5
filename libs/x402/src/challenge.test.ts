import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ARC_TOKEN, REQUIREMENTS, STRANGER, TOKENS } from '../test/vectors.ts'
import { readChallenge } from './challenge.ts'
import { encodeHeader, type HeaderValue } from './headers.ts'
import { toV1Requirements } from './v1.ts'

const RESOURCE = { url: 'https://api.example/weather', description: 'Weather' }
const OFFER = { x402Version: 2, resource: RESOURCE, accepts: [REQUIREMENTS] }
const V1_ENTRY = toV1Requirements(REQUIREMENTS, RESOURCE)
const V1_OFFER = { x402Version: 1, error: 'payment required', accepts: [V1_ENTRY] }
const MPP = `Payment id="a", realm="r", method="tempo", intent="charge", request="${Buffer.from('{}').toString('base64url')}"`

const read = (headers: Record<string, HeaderValue>, bodyText = '', status = 402) =>
  readChallenge({ status, headers, bodyText }, { tokens: TOKENS })
const inHeader = (offer: object, body?: object) =>
  read({ 'payment-required': encodeHeader(offer) }, body && JSON.stringify(body))
const inBody = (offer: object) => read({}, JSON.stringify(offer))
const accepting = (...entries: unknown[]) => inHeader({ ...OFFER, accepts: entries })

describe('transport', () => {
  test('default: a version 2 offer in the header', () => {
    expect(inHeader(OFFER, {})).toEqual({
      kind: 'x402',
      x402Version: 2,
      accepts: [REQUIREMENTS],
      resource: RESOURCE,
      offerTransport: 'header',
      versionConformant: true,
      issues: [],
    })
  })

  test('default: a version 1 offer in the body, in version 2 words', () => {
    expect(inBody(V1_OFFER)).toMatchObject({
      kind: 'x402',
      x402Version: 1,
      accepts: [REQUIREMENTS],
      resource: RESOURCE,
      offerTransport: 'body',
      versionConformant: true,
      issues: [],
    })
  })

  test('behavior: the same offer in header and body is sound', () => {
    expect(inHeader(OFFER, OFFER)).toMatchObject({ offerTransport: 'header+body', issues: [] })
  })

  test('behavior: version 2 in the header and version 1 in the body serve both families, and the header counts', () => {
    expect(inHeader(OFFER, V1_OFFER)).toMatchObject({ x402Version: 2, offerTransport: 'header+body', issues: [] })
  })

  test('behavior: an offer beside an MPP challenge is x402, with the challenge noted', () => {
    const both = read({ 'payment-required': encodeHeader(OFFER), 'www-authenticate': MPP })
    expect(both).toMatchObject({
      kind: 'x402',
      mpp: { id: 'a' },
      issues: ['MPP_ALSO_OFFERED'],
      versionConformant: true,
    })
  })

  test('behavior: an MPP challenge alone is mpp', () => {
    const alone = read({ 'www-authenticate': ['Bearer', MPP] }, '<html>')
    expect(alone).toMatchObject({
      kind: 'mpp',
      challenge: { method: 'tempo' },
      offerTransport: 'www-authenticate',
      issues: [],
    })
  })

  test.each<[string, number, Record<string, HeaderValue>, string]>([
    ['a 402 that says nothing', 402, {}, ''],
    ['a 402 in HTML', 402, {}, '<html></html>'],
    ['a 402 in JSON without accepts', 402, {}, '{"error":"pay"}'],
    ['a 402 with a list', 402, {}, '[]'],
    ['another status', 401, { 'payment-required': encodeHeader(OFFER) }, JSON.stringify(OFFER)],
    ['an open door', 200, {}, 'sunny'],
  ])('behavior: %s is plain', (_, status, headers, body) => {
    expect(read(headers, body, status)).toEqual({ kind: 'plain', offerTransport: 'none' })
  })
})

describe('issues', () => {
  const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

  test.each<[string, ReturnType<typeof read>]>([
    ['OFFER_ONLY_IN_BODY', inBody(OFFER)],
    ['HEADER_BODY_DIFFER', inHeader(OFFER, { ...OFFER, accepts: [{ ...REQUIREMENTS, amount: '1' }] })],
    ['OFFER_HEADER_UNREADABLE', read({ 'payment-required': '@@@' })],
    ['OFFER_HEADER_UNREADABLE', read({ 'payment-required': [encodeHeader(OFFER), encodeHeader(OFFER)] })],
    ['OFFER_HEADER_UNREADABLE', read({ 'payment-required': '@@@' }, JSON.stringify(V1_OFFER))],
    ['X402_NOT_OBJECT', inHeader([OFFER])],
    ['X402_VERSION_MISSING', inHeader({ accepts: [REQUIREMENTS] })],
    ['X402_VERSION_UNSUPPORTED', inHeader({ ...OFFER, x402Version: 3 })],
    ['X402_ACCEPTS_MISSING', inHeader({ ...OFFER, accepts: undefined })],
    ['X402_ACCEPTS_INVALID', inHeader({ ...OFFER, accepts: {} })],
    ['X402_ACCEPTS_EMPTY', accepting()],
    ['X402_ACCEPT_ENTRY_INVALID', accepting({ ...REQUIREMENTS, amount: 10000 })],
    ['X402_ACCEPT_ENTRY_INVALID', accepting(V1_ENTRY && { ...V1_ENTRY, network: 'eip155:8453' })],
    ['X402_ACCEPT_ENTRY_INVALID', accepting(null)],
    ['NETWORK_CAIP2_INVALID', accepting({ ...REQUIREMENTS, network: 'base' })],
    ['NETWORK_EIP155_REFERENCE_INVALID', accepting({ ...REQUIREMENTS, network: 'eip155:0x2105' })],
    ['NETWORK_REFERENCE_UNKNOWN', inBody({ ...V1_OFFER, accepts: [{ ...V1_ENTRY, network: 'arc' }] })],
    ['EIP712_DOMAIN_MISSING', accepting({ ...REQUIREMENTS, extra: undefined })],
  ])('error: %s breaks the declared version', (issue, challenge) => {
    expect(challenge).toMatchObject({ kind: 'x402', issues: expect.arrayContaining([issue]), versionConformant: false })
  })

  test.each<[string, ReturnType<typeof read>]>([
    [
      'GATEWAY_BATCHED',
      accepting({ ...REQUIREMENTS, ...ARC_TOKEN, extra: { name: 'GatewayWalletBatched', version: '1' } }),
    ],
    ['ASSET_UNKNOWN', accepting({ ...REQUIREMENTS, asset: STRANGER })],
    ['CACHEABLE_402', read({ 'payment-required': encodeHeader(OFFER), 'cache-control': 'public, max-age=60' })],
    ['HEADERS_OVERFLOW', inHeader({ ...OFFER, error: 'x'.repeat(16_000) })],
  ])('behavior: %s is advice', (issue, challenge) => {
    expect(challenge).toMatchObject({ kind: 'x402', issues: [issue], versionConformant: true })
  })

  test.each(['no-store', 'private, max-age=60', 'max-age=0', undefined])(
    'behavior: Cache-Control %s stores no 402',
    (value) => {
      expect(read({ 'payment-required': encodeHeader(OFFER), 'cache-control': value })).toMatchObject({ issues: [] })
    },
  )

  test('behavior: one bad entry spoils itself only, and foreign schemes and chains are shown', () => {
    const upto = { ...REQUIREMENTS, scheme: 'upto', extra: undefined }
    const onSolana = { ...REQUIREMENTS, network: solana, asset: 'EPjF', payTo: '9xQe', extra: { feePayer: 'x' } }
    const mixed = accepting({ ...REQUIREMENTS, network: 'base' }, REQUIREMENTS, upto, onSolana)
    expect(mixed).toMatchObject({ issues: ['NETWORK_CAIP2_INVALID'] })
    expect(mixed.kind === 'x402' && mixed.accepts.map(({ scheme, network }) => [scheme, network])).toEqual([
      ['exact', 'eip155:8453'],
      ['upto', 'eip155:8453'],
      ['exact', solana],
    ])
  })

  test('behavior: an unreadable header with a sound body is read from the body', () => {
    const fallback = read({ 'payment-required': '@@@' }, JSON.stringify(V1_OFFER))
    expect(fallback).toMatchObject({ x402Version: 1, accepts: [REQUIREMENTS], offerTransport: 'body' })
  })

  test('behavior: what a version 1 entry tells of its operation is read', () => {
    const outputSchema = { input: { type: 'http', method: 'GET', queryParams: { city: 'string' } } }
    const told = inBody({ ...V1_OFFER, accepts: [{ ...V1_ENTRY, outputSchema }] })
    expect(told).toMatchObject({ discovery: { metadataEvidence: 'output-schema', method: 'GET' } })
  })
})

test('behavior: no answer makes it throw', () => {
  const value = fc.jsonValue({ maxDepth: 3 })
  const offer = fc.record({
    x402Version: value,
    accepts: fc.oneof(fc.array(value), value),
    extensions: value,
    resource: value,
  })
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    offer.map((any) => JSON.stringify(any)),
  )
  const header = fc.oneof(
    fc.string(),
    offer.map(encodeHeader),
    value.map((any) => encodeHeader([any])),
  )
  fc.assert(
    fc.property(header, text, fc.string(), (required, body, authenticate) => {
      expect(['x402', 'mpp', 'plain']).toContain(
        read({ 'payment-required': required, 'www-authenticate': authenticate }, body).kind,
      )
    }),
  )
})
