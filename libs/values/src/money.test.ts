import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { baseUnits, decimalText, usdcOfUsd, usdOfUsdc } from './index.ts'

describe('decimalText', () => {
  test.each([
    [10_000n, 6, '0.01'],
    [0n, 6, '0'],
    [1n, 6, '0.000001'],
    [1_000_000n, 6, '1'],
    [1_500_000n, 6, '1.5'],
    [12n, 0, '12'],
    [-9_500n, 6, '-0.0095'],
  ])('default: %s units at %s decimals is %s', (units, decimals, text) => {
    expect(decimalText(units, decimals)).toBe(text)
  })
})

describe('baseUnits', () => {
  test.each([
    ['0.0000001', 'a digit that the token does not have'],
    ['1e3', 'an exponent'],
    ['-1', 'a sign'],
    ['01', 'a leading zero'],
    ['.5', 'no whole part'],
    ['1.', 'no fraction after the point'],
    ['', 'nothing'],
    ['0x10', 'hex'],
  ])('error: %s is refused: %s', (text) => {
    expect(baseUnits(text, 6)).toBeUndefined()
  })

  test('behavior: zeros beyond the token’s digits lose nothing', () => {
    expect(baseUnits('0.0100000000', 6)).toBe(10_000n)
  })

  test('behavior: what decimalText writes, baseUnits reads', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 24n }), fc.integer({ min: 0, max: 18 }), (units, decimals) => {
        const text = decimalText(units, decimals)
        if ((text.split('.')[0]?.length ?? 0) <= 18) expect(baseUnits(text, decimals)).toBe(units)
      }),
    )
  })
})

test('USD and USDC: what one writes, the other reads, to the millionth and no finer', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (units) => {
      expect(usdcOfUsd(usdOfUsdc(units))).toBe(units)
    }),
  )
  expect([usdOfUsdc(100_000n), usdOfUsdc(1n), usdcOfUsd('2.50')]).toEqual(['0.1', '0.000001', 2_500_000n])
  expect([usdcOfUsd('0.0000001'), usdcOfUsd('-1')]).toEqual([undefined, undefined])
})
