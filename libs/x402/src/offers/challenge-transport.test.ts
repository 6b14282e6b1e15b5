import { describe, expect, test } from 'vitest'
import { REQUIREMENTS, TOKENS } from '../../test/vectors.ts'
import { encodeHeader, type HeaderValue } from '../messages/headers.ts'
import { toV1Requirements } from '../messages/v1.ts'
import { readChallenge } from './challenge.ts'

const RESOURCE = { url: 'https://api.example/weather' }
const OFFER = { x402Version: 2, resource: RESOURCE, accepts: [REQUIREMENTS] }
const V1_OFFER = { x402Version: 1, accepts: [toV1Requirements(REQUIREMENTS, RESOURCE)] }
const MPP = 'Payment id="a", realm="r", method="tempo", intent="charge"'

const read = (headers: Record<string, HeaderValue>, bodyText = '') =>
  readChallenge({ status: 402, headers, bodyText }, { tokens: TOKENS })
const inHeader = (offer: object, more: Record<string, HeaderValue> = {}, bodyText = '') =>
  read({ 'payment-required': encodeHeader(offer), ...more }, bodyText)

describe('whether caches can store it', () => {
  test.each([
    'public',
    'max-age=60',
    'MAX-AGE=60',
    's-maxage=1',
    'max-age = "60"',
    ['must-revalidate', 'public'],
  ] as HeaderValue[])('behavior: with Cache-Control %j they can', (value) => {
    expect(inHeader(OFFER, { 'cache-control': value })).toMatchObject({ issues: ['CACHEABLE_402'] })
  })

  test.each([
    '',
    'no-store, public',
    'private',
    'max-age=0',
    's-maxage=0',
    'must-revalidate',
    ['public', 'no-store'],
  ] as HeaderValue[])('behavior: with Cache-Control %j they cannot', (value) => {
    expect(inHeader(OFFER, { 'cache-control': value })).toMatchObject({ issues: [] })
  })
})

describe('length of the headers', () => {
  const offer = encodeHeader(OFFER)
  const headOf = (length: number, name = 'x-more') => ({
    'payment-required': offer,
    [name]: 'x'.repeat(length - offer.length - 'payment-required'.length - name.length),
  })

  test('behavior: clients can read up to 16 KiB of names and values', () => {
    expect(read(headOf(16_383))).toMatchObject({ issues: [], payability: [{ payable: true }] })
    expect(read(headOf(16_384))).toMatchObject({
      issues: ['HEADERS_OVERFLOW'],
      payability: [{ payable: false, reason: 'transport' }],
      versionConformant: true,
    })
  })

  test('behavior: every repetition of a header counts, with its name', () => {
    const many = Array.from({ length: 3_900 }, () => 'x')
    expect(read({ 'payment-required': offer, abc: many })).toMatchObject({ issues: [] })
    expect(read({ 'payment-required': offer, abcd: many })).toMatchObject({ issues: ['HEADERS_OVERFLOW'] })
  })

  test('behavior: a header beyond our own limit is unreadable', () => {
    const longOffer = (length: number) => {
      const short = { ...OFFER, error: '' }
      const error = 'x'.repeat((length / 4) * 3 - JSON.stringify(short).length)
      const text = encodeHeader({ ...short, error })
      expect(text).toHaveLength(length)
      return read({ 'payment-required': text })
    }
    expect(longOffer(131_072)).toMatchObject({ x402Version: 2, issues: ['HEADERS_OVERFLOW'] })
    expect(longOffer(131_076)).toMatchObject({
      x402Version: null,
      issues: ['HEADERS_OVERFLOW', 'OFFER_HEADER_UNREADABLE'],
    })
  })

  test('behavior: headers that are too long also make an offer in the body unpayable', () => {
    expect(read({ 'x-more': 'x'.repeat(16_377) }, JSON.stringify(V1_OFFER))).toMatchObject({
      issues: [],
      payability: [{ payable: true }],
    })
    expect(read({ 'x-more': 'x'.repeat(16_378) }, JSON.stringify(V1_OFFER))).toMatchObject({
      issues: ['HEADERS_OVERFLOW'],
      payability: [{ payable: false, reason: 'transport' }],
    })
  })
})

describe('header and body', () => {
  test('behavior: version 2 only in the body is not payable, and version 1 there is', () => {
    expect(read({}, ` \n${JSON.stringify(OFFER)}`)).toMatchObject({
      offerTransport: 'body',
      issues: ['OFFER_ONLY_IN_BODY'],
      payability: [{ payable: false, reason: 'transport' }],
    })
    expect(read({}, JSON.stringify(V1_OFFER))).toMatchObject({ issues: [], payability: [{ payable: true }] })
  })

  test('behavior: with an unreadable header, no client reads the body', () => {
    expect(read({ 'payment-required': '@@@' }, JSON.stringify(V1_OFFER))).toMatchObject({
      payability: [{ payable: false, reason: 'transport' }],
      offerTransport: 'body',
    })
  })

  test('behavior: an entry that is only in the body is listed after the others, and is not payable', () => {
    const dearer = { ...REQUIREMENTS, amount: '20000' }
    const both = inHeader(OFFER, {}, JSON.stringify({ ...OFFER, accepts: [REQUIREMENTS, dearer] }))
    expect(both).toMatchObject({
      accepts: [REQUIREMENTS, dearer],
      payability: [{ payable: true }, { payable: false, reason: 'transport' }],
      issues: ['HEADER_BODY_DIFFER'],
      offerTransport: 'header+body',
    })
  })

  test('behavior: an entry of the body that is also one of several in the header is listed once', () => {
    const [cheaper, dearer] = [
      { ...REQUIREMENTS, amount: '1' },
      { ...REQUIREMENTS, amount: '20000' },
    ]
    const accepts = [cheaper, REQUIREMENTS]
    const both = inHeader({ ...OFFER, accepts }, {}, JSON.stringify({ ...OFFER, accepts: [REQUIREMENTS, dearer] }))
    expect(both).toMatchObject({ accepts: [cheaper, REQUIREMENTS, dearer] })
  })

  test('behavior: a difference outside the accepts is not a difference between header and body', () => {
    expect(inHeader(OFFER, {}, JSON.stringify({ ...OFFER, error: 'pay' }))).toMatchObject({
      accepts: [REQUIREMENTS],
      issues: [],
    })
  })

  test.each(['[]', '"accepts"', '{"error":"pay"}', '{"accepts":', 'accepts'])(
    'behavior: the body %s offers nothing',
    (body) => {
      expect(inHeader(OFFER, {}, body)).toMatchObject({ offerTransport: 'header', issues: [] })
    },
  )

  test('behavior: an empty header counts as absent, and a second one makes it unreadable', () => {
    expect(read({ 'payment-required': '' })).toMatchObject({ kind: 'plain' })
    expect(read({ 'payment-required': [] })).toMatchObject({ kind: 'plain' })
    expect(read({ 'payment-required': ['', ''] })).toMatchObject({
      kind: 'x402',
      offerTransport: 'header',
      issues: ['OFFER_HEADER_UNREADABLE'],
    })
  })
})

describe('other schemes', () => {
  test('behavior: an unreadable MPP request is an issue of that challenge', () => {
    expect(read({ 'www-authenticate': `${MPP}, request="@@@"` })).toMatchObject({
      kind: 'mpp',
      issues: ['MPP_REQUEST_UNREADABLE'],
    })
    expect(read({ 'www-authenticate': `${MPP}, request="e30"` })).toMatchObject({ kind: 'mpp', issues: [] })
    const several = [`${MPP}, request="e30"`, `${MPP}, request="@@@"`]
    expect(read({ 'www-authenticate': several })).toMatchObject({ issues: ['MPP_REQUEST_UNREADABLE'] })
  })

  test('behavior: with an unreadable offer, an MPP challenge counts', () => {
    expect(read({ 'payment-required': '@@@', 'www-authenticate': `${MPP}, request="e30"` }).kind).toBe('mpp')
  })

  test('behavior: a plain answer names each scheme once, in lower case', () => {
    expect(read({ 'www-authenticate': ['Bearer, Basic realm="x"', 'BEARER'] })).toStrictEqual({
      kind: 'plain',
      offerTransport: 'none',
      authSchemes: ['bearer', 'basic'],
    })
  })
})
