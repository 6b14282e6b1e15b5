import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { baseUnits, decimalText, looksLikeBaseUnits, usdcOfUsd, usdOfUsdc } from './index.ts'

describe('looksLikeBaseUnits', () => {
  test.each(['0', '7', '10', '10000', '9'.repeat(78)])('default: %s', (text) => {
    expect(looksLikeBaseUnits(text)).toBe(true)
  })

  test.each(['', '00', '010', '-1', '+1', '1.0', '1e3', '0x1', ' 1', '1\n', '9'.repeat(79)])(
    'error: %j is not an amount in base units',
    (text) => {
      expect(looksLikeBaseUnits(text)).toBe(false)
    },
  )
})

describe('decimalText', () => {
  test.each([
    [10_000n, 6, '0.01'],
    [0n, 6, '0'],
    [1n, 6, '0.000001'],
    [1_000_000n, 6, '1'],
    [1_500_000n, 6, '1.5'],
    [12n, 0, '12'],
    [-9_500n, 6, '-0.0095'],
    [-12n, 0, '-12'],
    [100n, 0, '100'],
    [123_456_789n, 2, '1234567.89'],
  ])('default: %s units at %s decimals is %s', (units, decimals, text) => {
    expect(decimalText(units, decimals)).toBe(text)
  })
})

describe('baseUnits', () => {
  test.each([
    ['0', 6, 0n],
    ['0.0', 6, 0n],
    ['1', 6, 1_000_000n],
    ['12.5', 6, 12_500_000n],
    ['0.000001', 6, 1n],
    ['7', 0, 7n],
    ['7.00', 0, 7n],
    ['999999999999999999.999999999999999999', 18, 10n ** 36n - 1n],
  ])('default: %s at %s decimals is %s units', (text, decimals, units) => {
    expect(baseUnits(text, decimals)).toBe(units)
  })

  test.each([
    ['0.0000001', 'a digit that the token does not have'],
    ['1e3', 'an exponent'],
    ['-1', 'a sign'],
    ['01', 'a leading zero'],
    ['.5', 'no whole part'],
    ['1.', 'no fraction after the point'],
    ['', 'nothing'],
    ['0x10', 'hex'],
    [' 1', 'a space before it'],
    ['1\n', 'a line break after it'],
    ['1000000000000000000', 'nineteen digits before the point'],
    ['0.0000000000000000000', 'nineteen digits after it'],
  ])('error: %s is refused: %s', (text) => {
    expect(baseUnits(text, 6)).toBeUndefined()
  })

  test('behavior: zeros beyond the token’s digits lose nothing', () => {
    expect(baseUnits('0.0100000000', 6)).toBe(10_000n)
  })

  test('behavior: baseUnits reads what decimalText writes', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 24n }), fc.integer({ min: 0, max: 18 }), (units, decimals) => {
        const text = decimalText(units, decimals)
        if ((text.split('.')[0]?.length ?? 0) <= 18) expect(baseUnits(text, decimals)).toBe(units)
      }),
    )
  })
})

test('USD and USDC: each function reads what the other writes, to the millionth and no finer', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (units) => {
      expect(usdcOfUsd(usdOfUsdc(units))).toBe(units)
    }),
  )
  expect([usdOfUsdc(100_000n), usdOfUsdc(1n), usdcOfUsd('2.50')]).toEqual(['0.1', '0.000001', 2_500_000n])
  expect([usdcOfUsd('0.0000001'), usdcOfUsd('-1')]).toEqual([undefined, undefined])
})
