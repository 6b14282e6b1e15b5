import type { Eip3009Payload, PaymentRequirements } from '@callboard/x402'
import { describe, expect, test } from 'vitest'
import { type Evidence, findingsOf } from './findings.ts'

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const payer = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const payTo = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C'
const NOW = 1_800_000_000
const accepted: PaymentRequirements = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '10000',
  asset: USDC,
  payTo,
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
}
const authorization = {
  from: payer,
  to: payTo,
  value: '10000',
  validAfter: '0',
  validBefore: String(NOW + 60),
  nonce: `0x${'ab'.repeat(32)}`,
}
const statement: Evidence['statement'] = {
  x402Version: 2,
  scheme: 'exact',
  network: 'eip155:8453',
  accepted,
  payload: {},
  extensions: null,
}

interface Change extends Partial<Omit<Evidence, 'statement'>> {
  readonly statement?: Partial<Evidence['statement']>
  readonly accepted?: Partial<PaymentRequirements>
  readonly authorization?: Partial<typeof authorization>
  readonly signature?: string
}
const codes = ({ statement: said, accepted: terms, authorization: signed, signature, ...change }: Change = {}) =>
  findingsOf({
    statement: { ...statement, accepted: { ...accepted, ...terms }, ...said },
    token: { network: 'eip155:8453', asset: USDC, name: 'USD Coin', version: '2' },
    signed: {
      signature: signature ?? `0x${'ab'.repeat(65)}`,
      authorization: { ...authorization, ...signed },
    } as Eip3009Payload,
    recovered: { ok: true, address: payer },
    networkIsKnown: true,
    now: NOW,
    ...change,
  }).map(({ code }) => code)

describe('findingsOf: the terms', () => {
  test('default: no finding for a sound payment', () => expect(codes()).toEqual([]))

  test.each<[string[], string, Change]>([
    [['unpayable_scheme'], 'another scheme', { statement: { scheme: 'upto' } }],
    [['unknown_network'], 'a chain that is not known', { networkIsKnown: false, token: undefined }],
    [['unknown_token'], 'a token that is not known', { token: undefined }],
    [['look_alike_domain'], 'another name', { accepted: { extra: { name: 'USDC', version: '2' } } }],
    [['look_alike_domain'], 'another version', { accepted: { extra: { name: 'USD Coin', version: '1' } } }],
    [['look_alike_domain'], 'no domain', { accepted: { extra: {} } }],
    [['look_alike_domain'], 'nothing of a domain', { accepted: { extra: undefined } }],
    [
      ['unknown_token', 'look_alike_domain'],
      'the batched ledger of Circle, whatever the token',
      { token: undefined, accepted: { extra: { name: 'GatewayWalletBatched' } } },
    ],
    [['permit2'], 'a Permit2 transfer beside it', { statement: { payload: { permit2Authorization: {} } } }],
    [['no_authorization'], 'no authorization', { signed: undefined }],
    [['recipient_differs'], 'another payee', { accepted: { payTo: payer } }],
    [[], 'the same payee in other letters', { accepted: { payTo: payTo.toLowerCase() } }],
    [['amount_differs'], 'a unit more', { accepted: { amount: '10001' } }],
    [['amount_differs'], 'a unit less', { accepted: { amount: '9999' } }],
    [['zero_value'], 'nothing', { authorization: { value: '0' }, accepted: { amount: '0' } }],
    [['pays_itself'], 'the payer', { authorization: { to: payer }, accepted: { payTo: payer } }],
    [[], 'one unit', { authorization: { value: '1' }, accepted: { amount: '1' } }],
  ])('behavior: %j, for %s', (expected, _what, change) => expect(codes(change)).toEqual(expected))

  test('behavior: a version 1 payment repeats no terms, and that is not a finding', () => {
    expect(codes({ statement: { accepted: undefined } })).toEqual([])
    expect(codes({ statement: { accepted: undefined }, authorization: { value: '0' } })).toEqual(['zero_value'])
  })
})

describe('findingsOf: the window', () => {
  test.each<[string[], string, Partial<typeof authorization>]>([
    [[], 'it opened a second ago', { validAfter: String(NOW - 1) }],
    [['not_yet_valid'], 'it opens now: the token wants a later block', { validAfter: String(NOW) }],
    [[], 'it ends in six seconds', { validBefore: String(NOW + 6) }],
    [['expires_soon'], 'it ends in five', { validBefore: String(NOW + 5) }],
    [['expires_soon'], 'it ends in one', { validBefore: String(NOW + 1) }],
    [['expired'], 'it ends now', { validBefore: String(NOW) }],
    [[], 'it ends in a day', { validBefore: String(NOW + 86_400) }],
    [['valid_for_long'], 'it ends in a day and a second', { validBefore: String(NOW + 86_401) }],
    [[], 'one second lies between its ends', { validAfter: String(NOW - 1), validBefore: String(NOW + 60) }],
    [
      ['never_valid', 'not_yet_valid'],
      'no second lies between its ends',
      { validAfter: String(NOW + 9), validBefore: String(NOW + 10) },
    ],
    [['not_yet_valid'], 'one second lies between them', { validAfter: String(NOW + 8), validBefore: String(NOW + 10) }],
  ])('behavior: %j, when %s', (expected, _when, window) => expect(codes({ authorization: window })).toEqual(expected))
})

describe('findingsOf: the signature', () => {
  test.each(['not_65_bytes', 'high_s', 'v_not_27_or_28', 'no_signer'] as const)('behavior: %s', (reason) => {
    expect(codes({ recovered: { ok: false, reason } })).toEqual([reason])
  })

  test('behavior: signer_mismatch, for a signature of another account', () => {
    expect(codes({ recovered: { ok: true, address: payTo } })).toEqual(['signer_mismatch'])
  })

  test('behavior: erc6492 alone, for a wallet that is not deployed', () => {
    const change = { signature: `0xab${'6492'.repeat(16)}` }
    expect(codes({ ...change, recovered: { ok: false, reason: 'not_65_bytes' } })).toEqual(['erc6492'])
  })

  test('behavior: no finding where no signer could be recovered because the token is unknown', () => {
    expect(codes({ recovered: undefined })).toEqual([])
    expect(codes({ recovered: { ok: true, address: payTo }, signed: undefined })).toEqual(['no_authorization'])
  })

  test('behavior: lists terms first, then window, then signature', () => {
    const all = { statement: { scheme: 'upto' }, authorization: { validBefore: '1' }, recovered: undefined }
    expect(codes({ ...all, recovered: { ok: true, address: payTo } })).toEqual([
      'unpayable_scheme',
      'never_valid',
      'expired',
      'signer_mismatch',
    ])
  })
})

test('each finding explains itself in words', () => {
  const [found] = findingsOf({
    statement: { ...statement, accepted: undefined, scheme: 'upto' },
    token: undefined,
    signed: undefined,
    recovered: undefined,
    networkIsKnown: true,
    now: NOW,
  })
  expect(found).toEqual({ code: 'unpayable_scheme', message: expect.stringContaining('`exact`') })
})
