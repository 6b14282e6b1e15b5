import type { Challenge, ConformanceIssue, NotPayableReason, Payability } from '@callboard/x402'
import { describe, expect, test } from 'vitest'
import { PAY_TO, payableEntry, USDC } from '../../test/offers.ts'
import type { Answer } from './answer.ts'
import { findingOf } from './finding.ts'

type Offer = Extract<Challenge, { kind: 'x402' }>

const TOKEN = { network: 'eip155:31337', asset: USDC, name: 'USDC', version: '2' } as const
const ENTRY = { ...payableEntry(), network: 'eip155:31337' } as const
const PAYABLE: Payability = { payable: true, token: TOKEN, payTo: PAY_TO }
const unpayable = (reason: NotPayableReason): Payability => ({ payable: false, reason })

/** An offer with one entry per verdict. */
const offered = (payability: readonly Payability[], more: Partial<Offer> = {}): Offer => ({
  kind: 'x402',
  x402Version: 2,
  accepts: payability.map(() => ENTRY),
  payability,
  unread: [],
  issues: [],
  offerTransport: 'header',
  versionConformant: true,
  mpp: [],
  ...more,
})
const found = (challenge: Challenge, headers: Answer['headers'] = {}) =>
  findingOf({ status: 402, headers, bodyText: '' }, challenge)

describe('an offer of x402', () => {
  test.each([1, 2])('is payable in version %i if one of its entries is', (x402Version) => {
    expect(found(offered([PAYABLE], { x402Version }))).toBe('payable')
    expect(found(offered([unpayable('scheme'), PAYABLE, unpayable('payee')], { x402Version }))).toBe('payable')
  })

  test.each([
    ['scheme', 'payable_elsewhere'],
    ['network', 'payable_elsewhere'],
    ['asset', 'payable_elsewhere'],
    ['gateway-batched', 'payable_elsewhere'],
    ['transfer-method', 'payable_elsewhere'],
    ['payment-flow', 'not_payable'],
    ['eip712-domain', 'not_payable'],
    ['payee', 'not_payable'],
    ['amount', 'not_payable'],
    ['timeout', 'not_payable'],
    ['version', 'not_payable'],
    ['transport', 'not_payable'],
    ['behind-unpayable', 'not_payable'],
  ] as const satisfies readonly [NotPayableReason, string][])(
    'whose only entry fails by %s is %s',
    (reason, finding) => {
      expect(found(offered([unpayable(reason)]))).toBe(finding)
    },
  )

  test('is payable elsewhere if one of its entries is', () => {
    expect(found(offered([unpayable('payee'), unpayable('network'), unpayable('amount')]))).toBe('payable_elsewhere')
  })

  test.each([
    [null, 'version_missing'],
    [0, 'version_unsupported'],
    [3, 'version_unsupported'],
    [-1, 'version_unsupported'],
  ])('of version %j is not payable, whatever it accepts: %s', (x402Version, finding) => {
    expect(found(offered([PAYABLE], { x402Version }))).toBe(finding)
  })

  test.each([
    ['OFFER_HEADER_UNREADABLE', 'offer_header_unreadable'],
    ['X402_NOT_OBJECT', 'offer_header_unreadable'],
    ['OFFER_ONLY_IN_BODY', 'offer_only_in_body'],
  ] as const)('with the issue %s is never payable: %s', (issue, finding) => {
    expect(found(offered([PAYABLE], { issues: ['CACHEABLE_402', issue] }))).toBe(finding)
  })

  test('with an unreadable header is reported before its version', () => {
    expect(found(offered([], { x402Version: null, issues: ['OFFER_HEADER_UNREADABLE'] }))).toBe(
      'offer_header_unreadable',
    )
  })

  test('with headers that are too long is reported as such, unless it is paid elsewhere', () => {
    const issues: ConformanceIssue[] = ['HEADERS_OVERFLOW']
    expect(found(offered([unpayable('transport')], { issues }))).toBe('offer_headers_too_long')
    expect(found(offered([unpayable('network')], { issues }))).toBe('payable_elsewhere')
    expect(found(offered([], { issues }))).toBe('offer_headers_too_long')
  })

  test('with only advisory issues stays payable', () => {
    expect(found(offered([PAYABLE], { issues: ['CACHEABLE_402', 'MPP_ALSO_OFFERED', 'ROUTE_BOUND'] }))).toBe('payable')
  })

  const unread = [{ index: 0, issue: 'X402_ACCEPT_ENTRY_INVALID', members: [], given: {} }] as const
  const signIn = { 'sign-in-with-x': { info: {} } }

  test.each<[string, Partial<Offer>, string]>([
    ['no entries', {}, 'accepts_empty'],
    ['extensions of another kind', { extensions: { bazaar: {} } }, 'accepts_empty'],
    ['a sign-in', { extensions: signIn }, 'sign_in_only'],
    ['entries that cannot be read', { unread }, 'entries_unreadable'],
    ['such entries and a sign-in', { unread, extensions: signIn }, 'entries_unreadable'],
  ])('with %s asks for nothing that can be paid', (_what, more, finding) => {
    expect(found(offered([], more))).toBe(finding)
  })

  test('with some unreadable entries is judged by the others', () => {
    expect(found(offered([unpayable('payee')], { unread }))).toBe('not_payable')
    expect(found(offered([PAYABLE], { unread, extensions: signIn }))).toBe('payable')
  })
})

describe('another 402', () => {
  const plain = (authSchemes: readonly string[] = []): Challenge => ({
    kind: 'plain',
    offerTransport: 'none',
    authSchemes,
  })

  test('of the machine payments protocol is recognized as such', () => {
    const challenge = { id: 'a', realm: 'r', method: 'tempo', intent: 'charge', request: {} }
    expect(found({ kind: 'mpp', challenges: [challenge], offerTransport: 'www-authenticate', issues: [] })).toBe('mpp')
  })

  test.each([
    [[], 'offer_missing'],
    [['bearer'], 'offer_missing'],
    [['l402'], 'l402'],
    [['lsat'], 'l402'],
    [['bearer', 'lsat'], 'l402'],
  ])('with the schemes %j is %s', (schemes, finding) => {
    expect(found(plain(schemes))).toBe(finding)
  })

  test.each([
    ['gzip', 'offer_missing'],
    ['exi', 'offer_coding_unread'],
    ['gzip, exi', 'offer_coding_unread'],
    [undefined, 'offer_missing'],
  ])('whose body is coded as %j is %s', (coding, finding) => {
    expect(found(plain(), { 'content-encoding': coding })).toBe(finding)
  })

  test('is no bot wall, whatever is in front of the endpoint', () => {
    expect(found(offered([PAYABLE]), { 'cf-mitigated': 'challenge' })).toBe('payable')
  })
})
