import { describe, expect, test } from 'vitest'
import { plainUsd } from './usd.ts'

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
