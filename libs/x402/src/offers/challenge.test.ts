import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ARC_TOKEN, REQUIREMENTS, THIRD_PARTY, TOKENS } from '../../test/vectors.ts'
import { encodeHeader, type HeaderValue } from '../messages/headers.ts'
import { toV1Requirements } from '../messages/v1.ts'
import { readChallenge } from './challenge.ts'

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
  test('default: reads a version 2 offer in the header', () => {
    expect(inHeader(OFFER, {})).toEqual({
      kind: 'x402',
      x402Version: 2,
      accepts: [REQUIREMENTS],
      payability: [{ payable: true, token: TOKENS[0], payTo: REQUIREMENTS.payTo }],
      unread: [],
      mpp: [],
      resource: RESOURCE,
      offerTransport: 'header',
      versionConformant: true,
      issues: [],
    })
  })

  test('default: reads a version 1 offer in the body, and reports it as version 2', () => {
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

  test('behavior: version 2 in the header and version 1 in the body suit both kinds of client, and the header counts', () => {
    expect(inHeader(OFFER, V1_OFFER)).toMatchObject({ x402Version: 2, offerTransport: 'header+body', issues: [] })
  })

  test('behavior: an offer with an MPP challenge is x402, and the challenge is noted', () => {
    const both = read({ 'payment-required': encodeHeader(OFFER), 'www-authenticate': MPP })
    expect(both).toMatchObject({
      kind: 'x402',
      mpp: [{ id: 'a' }],
      issues: ['MPP_ALSO_OFFERED'],
      versionConformant: true,
    })
  })

  test.each([
    ['names its method alone', { method: 'GET' }, []],
    ['names its scope', { method: 'GET', _mppx_scope: 'e30' }, ['ROUTE_BOUND']],
    ['names the digest of a body', { method: 'POST', digest: 'sha-256=:AA=:' }, ['ROUTE_BOUND']],
    ['is no object', 'GET', []],
  ])('behavior: an offer stays payable when its MPP extension %s', (_what, info, issues) => {
    expect(inHeader({ ...OFFER, extensions: { mppx: { info, schema: {} } } })).toMatchObject({
      kind: 'x402',
      payability: [{ payable: true }],
      issues,
    })
  })

  test('behavior: an MPP challenge alone is mpp', () => {
    const alone = read({ 'www-authenticate': ['Bearer', MPP] }, '<html>')
    expect(alone).toMatchObject({
      kind: 'mpp',
      challenges: [{ method: 'tempo' }],
      offerTransport: 'www-authenticate',
      issues: [],
    })
  })

  test('behavior: every MPP challenge is read, in order, from one header and from several', () => {
    const lightning = MPP.replace('id="a"', 'id="b"').replace('tempo', 'lightning')
    const [one, two] = [
      read({ 'www-authenticate': `${MPP}, ${lightning}` }),
      read({ 'www-authenticate': [MPP, lightning] }),
    ]
    for (const read of [one, two])
      expect(read).toMatchObject({ challenges: [{ id: 'a' }, { id: 'b', method: 'lightning' }] })
  })

  test('behavior: other schemes that an answer asks for are named', () => {
    const l402 = 'L402 macaroon="AGIAJEem", invoice="lnbc1"'
    expect(read({ 'www-authenticate': [l402, 'Bearer realm="x"'] })).toMatchObject({ authSchemes: ['l402', 'bearer'] })
  })

  test('behavior: unreadable entries are kept with their index and issue', () => {
    const sound = OFFER.accepts[0]
    const offer = { ...OFFER, accepts: [{ scheme: 'exact' }, sound, { ...sound, network: 'base' }] }
    expect(read({ 'payment-required': encodeHeader(offer) })).toMatchObject({
      unread: [
        { index: 0, issue: 'X402_ACCEPT_ENTRY_INVALID', given: { scheme: 'exact' } },
        { index: 2, issue: 'NETWORK_CAIP2_INVALID' },
      ],
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
    expect(read(headers, body, status)).toEqual({ kind: 'plain', offerTransport: 'none', authSchemes: [] })
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
    ['AMOUNT_NOT_POSITIVE', accepting({ ...REQUIREMENTS, amount: '0' })],
    ['PAYTO_INVALID', accepting({ ...REQUIREMENTS, payTo: 'me' })],
  ])('error: %s breaks the declared version', (issue, challenge) => {
    expect(challenge).toMatchObject({ kind: 'x402', issues: expect.arrayContaining([issue]), versionConformant: false })
  })

  test.each<[string, ReturnType<typeof read>]>([
    [
      'GATEWAY_BATCHED',
      accepting({ ...REQUIREMENTS, ...ARC_TOKEN, extra: { name: 'GatewayWalletBatched', version: '1' } }),
    ],
    ['ASSET_UNKNOWN', accepting({ ...REQUIREMENTS, asset: THIRD_PARTY })],
    [
      'TRANSFER_METHOD_UNSUPPORTED',
      accepting({ ...REQUIREMENTS, extra: { ...REQUIREMENTS.extra, assetTransferMethod: 'permit2' } }),
    ],
    ['PAYMENT_FLOW_UNKNOWN', accepting({ ...REQUIREMENTS, extra: { ...REQUIREMENTS.extra, paymentFlow: 'later' } })],
    ['TIMEOUT_TOO_SHORT', accepting({ ...REQUIREMENTS, maxTimeoutSeconds: 1 })],
    ['CACHEABLE_402', read({ 'payment-required': encodeHeader(OFFER), 'cache-control': 'public, max-age=60' })],
    ['HEADERS_OVERFLOW', inHeader({ ...OFFER, error: 'x'.repeat(16_000) })],
  ])('behavior: %s is advice', (issue, challenge) => {
    expect(challenge).toMatchObject({ kind: 'x402', issues: [issue], versionConformant: true })
  })

  test.each(['no-store', 'private, max-age=60', 'max-age=0', undefined])(
    'behavior: with Cache-Control %s no cache stores the 402',
    (value) => {
      expect(read({ 'payment-required': encodeHeader(OFFER), 'cache-control': value })).toMatchObject({ issues: [] })
    },
  )

  test('behavior: a bad entry affects only itself, and foreign schemes and chains are listed', () => {
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

  test('behavior: an unreadable header falls back to a sound body', () => {
    const fallback = read({ 'payment-required': '@@@' }, JSON.stringify(V1_OFFER))
    expect(fallback).toMatchObject({ x402Version: 1, accepts: [REQUIREMENTS], offerTransport: 'body' })
  })

  test('behavior: reads what a version 1 entry says about its operation', () => {
    const outputSchema = { input: { type: 'http', method: 'GET', queryParams: { city: 'string' } } }
    const challenge = inBody({ ...V1_OFFER, accepts: [{ ...V1_ENTRY, outputSchema }] })
    expect(challenge).toMatchObject({ discovery: { metadataEvidence: 'output-schema', method: 'GET' } })
  })
})

test('behavior: never throws, whatever the answer', () => {
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
