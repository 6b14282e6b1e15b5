import { baseUnits } from '@callboard/values'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lowestPrice } from './price.ts'

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
