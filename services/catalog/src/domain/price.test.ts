import { baseUnits } from '@callboard/values'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { comparable, costsMoreThan, isLess, lowestPrice } from './price.ts'

test.each([
  [['0.01'], '0.01'],
  [['10', '9', '11'], '9'],
  [['0.10', '0.1'], '0.10'],
  [['1', '0.999999999999999999999999'], '0.999999999999999999999999'],
  [['0.10000000000000000000002', '0.10000000000000000000001'], '0.10000000000000000000001'],
])('the lowest price of %j is %s', (prices, expected) => {
  expect(lowestPrice(prices)).toBe(expected)
})

test('the lowest price is never above any of the prices', () => {
  const price = fc
    .tuple(fc.nat(1_000_000), fc.nat(999_999))
    .map(([whole, fraction]) => `${whole}.${String(fraction).padStart(6, '0')}`)
  fc.assert(
    fc.property(fc.array(price, { minLength: 1 }), (prices) => {
      const units = (text: string) => baseUnits(text, 6) ?? -1n
      expect(prices.every((one) => units(lowestPrice(prices)) <= units(one))).toBe(true)
    }),
  )
})

/** Few values that are close together: prices in USDC, and what rounds to the same double. */
const close = fc
  .tuple(fc.constantFrom('0', '0.01', '0.1', '0.000001', '7', '123456789.123456'), fc.constantFrom('', '0', '1', '9'))
  .chain(([start, digit]) =>
    fc
      .nat(25)
      .map((times) => (digit === '' ? start : `${start}${start.includes('.') ? '' : '.'}${digit.repeat(times + 1)}`)),
  )
const below = fc.constantFrom('0.00999999999999999999999', '0.0999999999999999999999999', '6.99999999999999999999')

test('a price is said to be above a limit only if it is, and each price in USDC that is', () => {
  fc.assert(
    fc.property(fc.oneof(close, below), fc.oneof(close, below), (limit, price) => {
      const isSaid = costsMoreThan(limit)(comparable(price))
      const isAbove = isLess(limit, price)
      if (price.replace(/^0\.0*|\./g, '').length <= 15) expect(isSaid).toBe(isAbove)
      else if (isSaid) expect(isAbove).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

test.each([
  ['0.01', 0.01],
  ['123456789.123456', 123456789.123456],
  ['0.000000123456789012345', 0.000000123456789012345],
  ['100', 100],
])('%s has no more digits than a double keeps apart, and is comparable as it is', (price, double) => {
  expect(comparable(price)).toBe(double)
})

test.each(['1234567890.123456', '1000000000000000.5', '0.1000000000000001'])(
  '%s has more, and is comparable as less than it is',
  (price) => expect(comparable(price)).toBeLessThan(Number(price)),
)

test.each([
  ['just below the smallest price in USDC', '0.00000099999999999999999999', 0.000001, true],
  ['below it, whose double has an exponent', '0.0000001', 0.0000001, false],
  ['just below a price', '0.00999999999999999999999', 0.01, true],
  ['that price', '0.01', 0.01, false],
])('a limit %s: %s', (_what, limit, price, is) => expect(costsMoreThan(limit)(price)).toBe(is))
