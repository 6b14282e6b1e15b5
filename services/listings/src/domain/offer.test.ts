import type { ShownOffer } from '@callboard/contract'
import { wallet } from '@callboard/testkit'
import { describe, expect, test } from 'vitest'
import { offerAvoidingSplitter, offerToSplitter, type Terms } from './offer.ts'

const ARC = 'eip155:5042'
const [usdc, splitter, elsewhere, arcSplitter] = [8, 7, 6, 5].map((index) => wallet(index).address)

const terms = {
  network: 'eip155:8453',
  asset: usdc,
  decimals: 6,
  payTo: splitter,
  otherSplitters: [],
} as unknown as Terms
const onBoth: Terms = { ...terms, otherSplitters: [{ network: ARC, address: arcSplitter ?? '0x' }] }

const offer = (more: Partial<ShownOffer> = {}): ShownOffer => ({
  scheme: 'exact',
  network: 'eip155:8453',
  asset: terms.asset,
  amount: '10000',
  payTo: terms.payTo,
  payable: true,
  notPayableReason: null,
  ...more,
})
const refused = (reason: string, more: Partial<ShownOffer> = {}) =>
  offer({ payTo: elsewhere ?? '', payable: false, notPayableReason: reason, ...more })

describe('offerAvoidingSplitter', () => {
  test('default: none of an offer that pays the splitter alone, in whatever letters', () => {
    expect(offerAvoidingSplitter([offer(), offer({ payTo: terms.payTo.toLowerCase(), amount: '2' })], terms)).toBe(
      undefined,
    )
  })

  test('default: the entry that pays another address, wherever it stands', () => {
    const past = offer({ payTo: elsewhere ?? '' })
    expect(offerAvoidingSplitter([offer(), past], terms)).toBe(past)
    expect(offerAvoidingSplitter([past, offer()], terms)).toBe(past)
  })

  test('behavior: on another chain only the listing’s own splitter there counts', () => {
    const predicted = offer({ network: ARC, payTo: arcSplitter ?? '' })
    expect(offerAvoidingSplitter([offer(), predicted], terms)).toBe(predicted)
    expect(offerAvoidingSplitter([offer(), predicted], onBoth)).toBeUndefined()
    const swapped = offer({ network: ARC })
    expect(offerAvoidingSplitter([offer(), swapped], onBoth)).toBe(swapped)
    const elsewhereOnArc = offer({ network: ARC, payTo: elsewhere ?? '' })
    expect(offerAvoidingSplitter([offer(), elsewhereOnArc], onBoth)).toBe(elsewhereOnArc)
  })

  test.each(['transport', 'behind-unpayable', 'version', 'transfer-method'])(
    'behavior: an entry that some buyers can pay avoids it too: %s',
    (reason) => {
      expect(offerAvoidingSplitter([offer(), refused(reason)], terms)).toMatchObject({ payTo: elsewhere })
    },
  )

  test.each(['scheme', 'network', 'asset', 'amount', 'eip712-domain', 'payee', 'gateway-batched'])(
    'behavior: an entry that is not payable is no way past it: %s',
    (reason) => {
      expect(offerAvoidingSplitter([offer(), refused(reason)], terms)).toBeUndefined()
    },
  )
})

test('offerToSplitter: the cheapest of those that are payable', () => {
  const accepts = [offer({ amount: '3' }), offer({ amount: '2' }), offer({ amount: '1', payable: false })]
  expect(offerToSplitter(accepts, terms)?.amount).toBe('2')
})
