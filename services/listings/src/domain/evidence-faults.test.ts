import { describe, expect, test } from 'vitest'
import { noOffer, offer, operation, report, SPLITTER, THIRD_PARTY, terms, USDC } from '../../test/held-listing.ts'
import { avoidsInWords, firstMixed, firstNotPayingSplitter, firstUnpayable } from './evidence.ts'

const foreign = offer({ payTo: THIRD_PARTY })
const of = (given: ReturnType<typeof report>) => ({ operation, report: given })

describe('firstUnpayable', () => {
  test('default: returns none if every operation can be paid in the listing’s token, whoever the payee is', () => {
    expect(firstUnpayable([of(report()), of(report([foreign]))], terms)).toBeUndefined()
    expect(firstUnpayable([], terms)).toBeUndefined()
  })

  test('behavior: returns the first one that cannot be paid, with what is wrong with its offer', () => {
    const wrong = of(report([offer({ network: 'eip155:1' })]))
    expect(firstUnpayable([of(report()), wrong, of(report([]))], terms)).toEqual({
      index: 1,
      probed: wrong,
      words: {
        message: expect.stringContaining(`in ${USDC} on eip155:8453`),
        mend: expect.stringContaining(`asset \`${USDC}\``),
      },
    })
  })

  test.each(['timeout', 'open', 'ok_402_no_accepts', 'mpp'] as const)(
    'behavior: after %s, the probe’s own words explain the fault',
    (state) => {
      const wrong = of(noOffer(state))
      expect(firstUnpayable([wrong], terms)).toEqual({ index: 0, probed: wrong, words: undefined })
    },
  )

  test('behavior: an offer in a state that is not a sound 402 is not payable', () => {
    expect(firstUnpayable([of(report([offer()], { state: 'ok_402_no_accepts' }))], terms)).toMatchObject({ index: 0 })
  })
})

describe('firstNotPayingSplitter', () => {
  test('default: returns none if every operation pays the splitter, even among other payees', () => {
    expect(firstNotPayingSplitter([of(report()), of(report([foreign, offer()]))], terms)).toBeUndefined()
  })

  test('behavior: returns the first one that pays another address, and its fix names the splitter', () => {
    expect(firstNotPayingSplitter([of(report()), of(report([foreign]))], terms)).toMatchObject({
      index: 1,
      words: { message: expect.stringContaining(SPLITTER), mend: expect.stringContaining(SPLITTER) },
    })
  })
})

describe('firstMixed', () => {
  test.each([
    ['every entry pays the splitter', [report()]],
    ['no entry pays the splitter, whose address may not be known yet', [report([foreign])]],
    ['nothing was read', [noOffer('timeout')]],
  ])('default: returns none if %s', (_what, reports) => {
    expect(
      firstMixed(
        reports.map((one) => of(one)),
        terms,
      ),
    ).toBeUndefined()
  })

  test('409 offer_avoids_splitter: names the entry that a buyer could use to pay no fee', () => {
    const past = offer({ payTo: THIRD_PARTY, amount: '9', extra: { name: 'USD Coin' } })
    expect(firstMixed([of(report()), of(report([offer(), past]))], terms)).toEqual({
      refusal: 'offer_avoids_splitter',
      field: 'operations.1.url',
      message: `Quote: It offers exact of 9 base units of ${USDC} on eip155:8453 to ${THIRD_PARTY}, which is not the listing’s fee splitter there (${SPLITTER} on eip155:8453).`,
      details: { entry: { scheme: 'exact', network: 'eip155:8453', asset: USDC, amount: '9', payTo: THIRD_PARTY } },
    })
  })

  test('behavior: names the first of several, after one that pays no splitter at all', () => {
    const mixed = report([offer(), foreign])
    expect(firstMixed([of(report([foreign])), of(mixed), of(mixed)], terms)).toMatchObject({
      field: 'operations.1.url',
    })
  })
})

test('avoidsInWords: says what a buyer would pay, and where it should go', () => {
  expect(avoidsInWords(foreign, terms)).toMatch(new RegExp(`to ${THIRD_PARTY}, which is not .* \\(${SPLITTER} on `))
})
