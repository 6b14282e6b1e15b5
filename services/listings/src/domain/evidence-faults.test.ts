import { describe, expect, test } from 'vitest'
import { noOffer, offer, operation, report, SPLITTER, THIRD_PARTY, terms, USDC } from '../../test/held-listing.ts'
import { avoidsInWords, firstMixed, firstNotPayingSplitter, firstUnpayable } from './evidence.ts'

const foreign = offer({ payTo: THIRD_PARTY })
const of = (given: ReturnType<typeof report>) => ({ operation, report: given })

describe('firstUnpayable', () => {
  test('default: none where every operation can be paid in the listing’s token, whomever it pays', () => {
    expect(firstUnpayable([of(report()), of(report([foreign]))], terms)).toBeUndefined()
    expect(firstUnpayable([], terms)).toBeUndefined()
  })

  test('behavior: the first of those that cannot, with what is wrong about a sound offer', () => {
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
    'behavior: where the probe met %s, its own words say it',
    (state) => {
      const wrong = of(noOffer(state))
      expect(firstUnpayable([wrong], terms)).toEqual({ index: 0, probed: wrong, words: undefined })
    },
  )

  test('behavior: an offer beside a state that is no sound 402 is not payable', () => {
    expect(firstUnpayable([of(report([offer()], { state: 'ok_402_no_accepts' }))], terms)).toMatchObject({ index: 0 })
  })
})

describe('firstNotPayingSplitter', () => {
  test('default: none where every operation pays the splitter, also beside others', () => {
    expect(firstNotPayingSplitter([of(report()), of(report([foreign, offer()]))], terms)).toBeUndefined()
  })

  test('behavior: the first one that pays another address, and the mend names the splitter', () => {
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
  ])('default: none where %s', (_what, reports) => {
    expect(
      firstMixed(
        reports.map((one) => of(one)),
        terms,
      ),
    ).toBeUndefined()
  })

  test('409 offer_avoids_splitter: the entry that a buyer could take to pay no fee', () => {
    const past = offer({ payTo: THIRD_PARTY, amount: '9', extra: { name: 'USD Coin' } })
    expect(firstMixed([of(report()), of(report([offer(), past]))], terms)).toEqual({
      refusal: 'offer_avoids_splitter',
      field: 'operations.1.url',
      message: `Quote: It offers exact of 9 base units of ${USDC} on eip155:8453 to ${THIRD_PARTY}, which is not the listing’s fee splitter there (${SPLITTER} on eip155:8453).`,
      details: { entry: { scheme: 'exact', network: 'eip155:8453', asset: USDC, amount: '9', payTo: THIRD_PARTY } },
    })
  })

  test('behavior: the first of several is named, past one that pays no splitter at all', () => {
    const mixed = report([offer(), foreign])
    expect(firstMixed([of(report([foreign])), of(mixed), of(mixed)], terms)).toMatchObject({
      field: 'operations.1.url',
    })
  })
})

test('avoidsInWords: what a buyer would pay, and where it should go', () => {
  expect(avoidsInWords(foreign, terms)).toMatch(new RegExp(`to ${THIRD_PARTY}, which is not .* \\(${SPLITTER} on `))
})
