import { describe, expect, test } from 'vitest'
import { offer, SPLITTER, THIRD_PARTY, terms, USDC } from '../../test/held-listing.ts'
import {
  inWords,
  offerAvoidingSplitter,
  offerToSplitter,
  paidBy,
  payableOffers,
  problemOf,
  type Terms,
} from './offer.ts'

const ARC = 'eip155:5042'
const ARC_SPLITTER = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc'
const onBoth: Terms = { ...terms, otherSplitters: [{ network: ARC, address: ARC_SPLITTER }] }

const refused = (notPayableReason: string) => offer({ payTo: THIRD_PARTY, payable: false, notPayableReason })

describe('offerAvoidingSplitter', () => {
  test('default: returns none for an offer that pays only the splitter, in any letter case', () => {
    expect(offerAvoidingSplitter([offer(), offer({ payTo: terms.payTo.toLowerCase(), amount: '2' })], terms)).toBe(
      undefined,
    )
  })

  test('default: returns the entry that pays another address, whatever its position', () => {
    const past = offer({ payTo: THIRD_PARTY })
    expect(offerAvoidingSplitter([offer(), past], terms)).toBe(past)
    expect(offerAvoidingSplitter([past, offer()], terms)).toBe(past)
  })

  test('behavior: on another chain only the listing’s own splitter there is accepted', () => {
    const predicted = offer({ network: ARC, payTo: ARC_SPLITTER })
    expect(offerAvoidingSplitter([offer(), predicted], terms)).toBe(predicted)
    expect(offerAvoidingSplitter([offer(), predicted], onBoth)).toBeUndefined()
    const swapped = offer({ network: ARC })
    expect(offerAvoidingSplitter([offer(), swapped], onBoth)).toBe(swapped)
    const elsewhereOnArc = offer({ network: ARC, payTo: THIRD_PARTY })
    expect(offerAvoidingSplitter([offer(), elsewhereOnArc], onBoth)).toBe(elsewhereOnArc)
  })

  test.each(['transport', 'behind-unpayable', 'version', 'transfer-method', 'mcp'])(
    'behavior: an entry that some buyers can pay avoids the splitter too: %s',
    (reason) => {
      expect(offerAvoidingSplitter([offer(), refused(reason)], terms)).toMatchObject({ payTo: THIRD_PARTY })
    },
  )

  test.each(['scheme', 'network', 'asset', 'amount', 'eip712-domain', 'payee', 'gateway-batched'])(
    'behavior: an entry that cannot be paid does not avoid the splitter: %s',
    (reason) => {
      expect(offerAvoidingSplitter([offer(), refused(reason)], terms)).toBeUndefined()
    },
  )
})

describe('payableOffers', () => {
  test('default: returns the entries that ask for the listing’s token, whoever they pay', () => {
    const accepts = [offer(), offer({ payTo: THIRD_PARTY, amount: '1' })]
    expect(payableOffers(accepts, terms)).toEqual(accepts)
  })

  test.each<[string, Partial<ReturnType<typeof offer>>]>([
    ['that cannot be paid', { payable: false, notPayableReason: 'amount' }],
    ['of another scheme', { scheme: 'upto' }],
    ['on another chain', { network: ARC }],
    ['in another token', { asset: THIRD_PARTY }],
  ])('behavior: returns none %s', (_what, more) => {
    expect(payableOffers([offer(more)], terms)).toEqual([])
  })
})

describe('offerToSplitter', () => {
  test('default: returns the first payable one, as a stock client does, and not the cheapest', () => {
    const accepts = [offer({ amount: '1', payable: false }), offer({ amount: '10' }), offer({ amount: '9' })]
    expect(offerToSplitter(accepts, terms)?.amount).toBe('10')
    expect(offerToSplitter(accepts.toReversed(), terms)?.amount).toBe('9')
  })

  test('behavior: a flow that a stock client takes only without an authorization comes after one', () => {
    const accepts = [offer({ amount: '1', extra: { paymentFlow: 'upfront' } }), offer({ amount: '10' })]
    expect(offerToSplitter(accepts, terms)?.amount).toBe('10')
  })

  test('behavior: returns none if another address is paid', () => {
    expect(offerToSplitter([offer({ payTo: THIRD_PARTY })], terms)).toBeUndefined()
    expect(offerToSplitter([], terms)).toBeUndefined()
  })
})

describe('paidBy', () => {
  test('default: returns the payment as the offer asks for it, and its price in USD', () => {
    const asked = offer({ amount: '1230000', payTo: SPLITTER.toLowerCase() })
    const checkedAt = '2026-01-01T00:00:00.000Z'
    expect(paidBy(asked, terms, checkedAt)).toEqual({
      payment: { scheme: 'exact', network: 'eip155:8453', asset: USDC, payTo: SPLITTER, amount: '1230000', checkedAt },
      price: '1.23',
    })
  })
})

test('inWords: names all that a buyer would sign', () => {
  expect(inWords(offer({ amount: '7' }))).toBe(`exact of 7 base units of ${USDC} on eip155:8453 to ${SPLITTER}`)
})

describe('problemOf', () => {
  test('default: says that no entry pays the splitter', () => {
    expect(problemOf([], terms)).toBe(
      `It offers no payable x402 exact payment on eip155:8453 to the fee splitter ${SPLITTER}.`,
    )
  })

  test('behavior: gives each reason why its entries cannot be paid once', () => {
    const accepts = [refused('amount'), offer(), refused('payee'), refused('amount')]
    expect(problemOf(accepts, terms)).toMatch(/\. Its ways to pay are refused for: amount, payee\.$/)
    expect(problemOf([offer()], terms)).not.toContain('refused')
  })

  test('behavior: the probe’s finding replaces this sentence', () => {
    expect(problemOf([], terms, 'It is free.')).toBe('It is free.')
    expect(problemOf([refused('amount')], terms, 'It is free.')).toBe(
      'It is free. Its ways to pay are refused for: amount.',
    )
  })
})
