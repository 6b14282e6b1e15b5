import { chainSet } from '@callboard/evm'
import { describe, expect, test } from 'vitest'
import {
  conformant,
  noOffer,
  offer,
  operation,
  report,
  SPLITTER,
  THIRD_PARTY,
  terms,
  USDC,
} from '../../test/held-listing.ts'
import { diagnosisOf, payableHere, unpaid, unusable, wantedBy } from './diagnosis.ts'

const BASE_URL = 'https://callboard.example'
const WANTED = { scheme: 'exact', network: 'eip155:8453', asset: USDC, payTo: SPLITTER } as const
const foreign = offer({ payTo: THIRD_PARTY })

const withIssues = (...issues: readonly string[]) => {
  const { result, ...rest } = report()
  if (result?.kind !== 'x402') throw new Error('It reports an offer')
  return { ...rest, result: { ...result, conformance: { ...conformant, issues: [...issues] } } }
}

test('wantedBy: returns the listing’s token, paid to its splitter', () => {
  expect(wantedBy(terms)).toEqual([WANTED])
})

test('payableHere: returns the USDC of each configured chain, without a payee', () => {
  expect(payableHere(chainSet({ networks: ['eip155:8453', 'eip155:84532'] }))).toEqual([
    { scheme: 'exact', network: 'eip155:8453', asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' },
    { scheme: 'exact', network: 'eip155:84532', asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' },
  ])
})

describe('diagnosisOf', () => {
  test('default: returns what was found, in the probe’s words, next to what is wanted', () => {
    expect(diagnosisOf(report(), [WANTED], BASE_URL)).toEqual({
      state: 'ok_402',
      finding: 'payable',
      message: 'It asks for payment.',
      mend: 'Nothing to fix.',
      docs: 'https://callboard.example/docs/probes#payable',
      httpStatus: 402,
      offered: [{ ...WANTED, amount: '10000', payable: true, message: null, mend: null }],
      wanted: [WANTED],
      issues: [],
    })
  })

  test('behavior: the words of a listing replace those of the probe', () => {
    const words = { message: 'It pays another.', mend: 'Pay the splitter.' }
    expect(diagnosisOf(report(), [], BASE_URL, words)).toMatchObject({ finding: 'payable', ...words })
  })

  test('behavior: a fact that only some answers have is returned only for them', () => {
    const said = { redirectTo: 'https://api.example/', methods: ['POST'], contentEncoding: 'br' } as const
    expect(diagnosisOf({ ...noOffer('redirect'), ...said, methods: ['POST'] }, [], BASE_URL)).toMatchObject(said)
    for (const member of Object.keys(said)) expect(diagnosisOf(report(), [], BASE_URL)).not.toHaveProperty(member)
  })

  test('behavior: without an offer, the lists of offers and issues are empty', () => {
    expect(diagnosisOf(noOffer('timeout'), [], BASE_URL)).toMatchObject({ offered: [], issues: [] })
    expect(diagnosisOf(noOffer('open'), [], BASE_URL)).toMatchObject({ offered: [], issues: [] })
  })

  test('behavior: only the first eight ways to pay are shown', () => {
    const accepts = Array.from({ length: 9 }, (_, n) => offer({ amount: String(n) }))
    const { offered } = diagnosisOf(report(accepts), [], BASE_URL)
    expect(offered.map(({ amount }) => amount)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7'])
  })

  test.each([
    ['scheme', 'Callboard pays only the scheme `exact`.', 'Add an entry with the scheme `exact`.'],
    ['a reason of the next release', 'a reason of the next release', null],
    ['toString', 'toString', null],
  ])('behavior: a way to pay that is refused for “%s” says so in words, if there are any', (reason, message, mend) => {
    const refused = offer({ payable: false, notPayableReason: reason })
    expect(diagnosisOf(report([refused]), [], BASE_URL).offered).toMatchObject([{ payable: false, message, mend }])
  })

  test('behavior: each issue has its fix and its page, and an unknown one is skipped', () => {
    const found = withIssues('X402_VERSION_MISSING', 'NOT_YET_KNOWN', 'constructor', 'X402_ACCEPTS_EMPTY')
    expect(diagnosisOf(found, [], BASE_URL).issues).toEqual([
      {
        code: 'X402_VERSION_MISSING',
        message: 'The offer declares no `x402Version`.',
        mend: 'Add `"x402Version": 2`, as a number.',
        docs: 'https://callboard.example/docs/probes#X402_VERSION_MISSING',
      },
      expect.objectContaining({ code: 'X402_ACCEPTS_EMPTY' }),
    ])
  })
})

describe('unusable', () => {
  test('default: returns no refusal if every operation can be paid', () => {
    expect(unusable(undefined, terms, BASE_URL)).toBeUndefined()
  })

  test('no_usable_challenge: names the operation, what is wrong with it, and what is wanted', () => {
    const words = { message: 'It pays another.', mend: 'Pay the splitter.' }
    const refused = unusable({ index: 2, probed: { operation, report: report() }, words }, terms, BASE_URL)
    expect(refused).toMatchObject({
      refusal: 'no_usable_challenge',
      field: 'operations.2.url',
      message: 'Quote: It pays another.',
      details: { mend: 'Pay the splitter.', finding: 'payable', wanted: [WANTED] },
    })
    expect(refused?.details).not.toHaveProperty('message')
  })
})

describe('unpaid', () => {
  test('default: returns each endpoint that does not pay the splitter, in order', () => {
    const post = { ...operation, method: 'POST' } as const
    const probed = [
      { operation, report: report([foreign]) },
      { operation, report: report() },
      { operation: post, report: noOffer('timeout', 'It is late.') },
    ]
    expect(unpaid(probed, terms, BASE_URL)).toMatchObject([
      { method: 'GET', url: operation.url, message: expect.stringContaining(SPLITTER), wanted: [WANTED] },
      { method: 'POST', url: operation.url, message: 'It is late.', state: 'timeout' },
    ])
  })
})
