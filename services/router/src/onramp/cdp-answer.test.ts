import { describe, expect, test } from 'vitest'
import { cdpAnswer, cdpFault } from './cdp-answer.ts'

const session = { onrampUrl: 'https://pay.coinbase.com/buy?sessionToken=x' }
const quote = {
  ...{ paymentTotal: '20.75', paymentSubtotal: '20', paymentCurrency: 'USD', purchaseAmount: '20' },
  ...{ purchaseCurrency: 'USDC', destinationNetwork: 'base', exchangeRate: '1' },
  fees: [{ type: 'FEE_TYPE_EXCHANGE', amount: '0.75', currency: 'USD' }],
}
const read = (answer: unknown) => cdpAnswer(JSON.stringify(answer))

describe('cdpAnswer', () => {
  test('default: the URL and the quote, in our field names', () => {
    expect(read({ session, quote })).toEqual({
      ...session,
      quote: {
        total: { amount: '20.75', currency: 'USD' },
        receives: { amount: '20', currency: 'USDC' },
        fees: quote.fees,
      },
    })
  })

  test.each([
    ['none', undefined],
    ['a broken one', { paymentTotal: 3 }],
    ['one with a thousand fees', { ...quote, fees: Array(1_000).fill(quote.fees[0]) }],
  ])('behavior: a session with %s for a quote is kept, without the quote', (_what, given) => {
    expect(read({ session, quote: given })).toEqual({ ...session, quote: null })
  })

  test.each([
    ['no JSON', 'sorry'],
    ['no session', '{}'],
    ['a URL that is not https', '{"session":{"onrampUrl":"javascript:alert(1)"}}'],
    ['a URL without end', JSON.stringify({ session: { onrampUrl: `https://a.example/${'x'.repeat(5_000)}` } })],
  ])('error: %s is not a session', (_what, text) => {
    expect(cdpAnswer(text)).toBeUndefined()
  })
})

test('cdpFault: the name of a refusal, and nothing that is unfit to be shown', () => {
  expect(cdpFault('{"errorType":"invalid_request","errorMessage":"secret"}')).toBe('invalid_request')
  expect(cdpFault('{"errorType":"<b>"}')).toBeUndefined()
  expect(cdpFault('down')).toBeUndefined()
})
