import { Usd } from '@callboard/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nanoUsdOf, usdText } from './usd.ts'

describe('nanoUsdOf', () => {
  test.each([
    ['0', 0n],
    ['1', 1_000_000_000n],
    ['0.01', 10_000_000n],
    ['0.000000001', 1n],
    ['5.00', 5_000_000_000n],
  ])('default: %s', (text, nano) => {
    expect(nanoUsdOf(text)).toBe(nano)
  })

  test.each(['', '-1', '1e3', '01', '.5', '0.0000000001', ' 1', 'NaN'])('error: %j is refused', (text) => {
    expect(() => nanoUsdOf(text)).toThrow(RangeError)
  })
})

describe('usdText', () => {
  test('default: writes no trailing zeros', () => {
    expect([0n, 1n, 1_500_000_000n, 10n ** 9n].map(usdText)).toEqual(['0', '0.000000001', '1.5', '1'])
  })

  test('error: a negative amount has no text on the wire', () => {
    expect(() => usdText(-1n)).toThrow(RangeError)
  })

  test('behavior: the contract accepts what it writes, and nanoUsdOf reads it back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 26n }), (nano) => {
        const text = usdText(nano)
        expect(Usd.safeParse(text).success).toBe(true)
        expect(nanoUsdOf(text)).toBe(nano)
      }),
    )
  })
})
