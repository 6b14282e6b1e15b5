import { describe, expect, test } from 'vitest'
import { centsOf, plainUsd } from './usd.ts'

test.each([
  ['5', 500],
  [0, 0],
  [0.29, 29],
  ['1000.00', 100_000],
] as const)('centsOf: %s USD are %i cents', (usd, cents) => {
  expect(centsOf(usd)).toBe(cents)
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

  test.each(['', '-1', '1e3', 'free'])('error: %j is no amount', (text) => {
    expect(() => plainUsd(text)).toThrow(RangeError)
  })
})
