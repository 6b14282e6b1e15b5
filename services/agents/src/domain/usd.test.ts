import { describe, expect, test } from 'vitest'
import { centsCovering, centsOf, plainUsd, usdBeyond } from './usd.ts'

test.each([
  ['5', 500],
  [0, 0],
  [0.29, 29],
  ['1000.00', 100_000],
] as const)('centsOf: %s USD are %i cents', (usd, cents) => {
  expect(centsOf(usd)).toBe(cents)
})

test.each([
  ['0', 0],
  ['0.000000001', 1],
  ['4.70', 470],
  ['4.701', 471],
] as const)('centsCovering: %s USD fit within %i cents', (usd, cents) => {
  expect(centsCovering(usd)).toBe(cents)
})

test('centsCovering: error: text that is not an amount', () => {
  expect(() => centsCovering('free')).toThrow(RangeError)
})

test.each([
  ['5.00', [], '0'],
  ['5.00', ['4', '1'], '0'],
  ['5.00', ['4.5', '0.500000001'], '0.000000001'],
  ['0', ['0.3', '0.2'], '0.5'],
] as const)('usdBeyond: %s USD are exceeded by %j with %s', (limit, amounts, beyond) => {
  expect(usdBeyond(limit, amounts)).toBe(beyond)
})

describe('plainUsd', () => {
  test.each([
    ['5.00', '5'],
    ['0.00', '0'],
    ['0.10', '0.1'],
    ['1000', '1000'],
    ['12.345678', '12.345678'],
  ])('default: %s is %s', (text, plain) => {
    expect(plainUsd(text)).toBe(plain)
  })

  test.each(['', '-1', '1e3', 'free'])('error: %j is not an amount', (text) => {
    expect(() => plainUsd(text)).toThrow(RangeError)
  })
})
