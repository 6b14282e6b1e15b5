import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ComputeRule, computeOfStake, ruleName } from './compute-of-stake.ts'

const USD = 1_000_000_000n
const TOKEN = 10n ** 18n
const RULE: ComputeRule = { base: USD / 10n, perToken: USD / 1_000n, decimals: 18, most: 50n * USD }

const rule = fc
  .record({
    base: fc.bigInt(0n, 10n ** 12n),
    perToken: fc.bigInt(0n, 10n ** 12n),
    decimals: fc.integer({ min: 0, max: 36 }),
    more: fc.bigInt(0n, 10n ** 15n),
  })
  .map(({ more, ...rest }): ComputeRule => ({ ...rest, most: rest.base + more }))
const stake = fc.bigInt(0n, 2n ** 256n - 1n)

describe('computeOfStake', () => {
  test('default: the base plus the price of each whole token', () => {
    expect(computeOfStake(0n, RULE)).toBe(USD / 10n)
    expect(computeOfStake(1_000n * TOKEN, RULE)).toBe(USD + USD / 10n)
  })
  test('behavior: a fraction of a nano-USD counts as nothing', () => {
    const perToken = { ...RULE, base: 0n, perToken: 1n }
    expect(computeOfStake(TOKEN - 1n, perToken)).toBe(0n)
    expect(computeOfStake(TOKEN, perToken)).toBe(1n)
  })
  test('behavior: never above the maximum, never below the base, and never less for a larger stake', () => {
    fc.assert(
      fc.property(stake, stake, rule, (one, other, any) => {
        const [less, more] = one < other ? [one, other] : [other, one]
        const [low, high] = [computeOfStake(less, any), computeOfStake(more, any)]
        expect(any.base <= low && low <= high && high <= any.most).toBe(true)
      }),
    )
  })
  test('behavior: without base and maximum, the parts of a stake are never worth more than the whole', () => {
    fc.assert(
      fc.property(stake, stake, rule, (one, other, any) => {
        const plain = { ...any, base: 0n, most: 2n ** 400n }
        const parts = computeOfStake(one, plain) + computeOfStake(other, plain)
        expect(parts <= computeOfStake(one + other, plain)).toBe(true)
      }),
    )
  })
})

test('ruleName: each member changes the name', () => {
  const names = [RULE, ...(['base', 'perToken', 'most'] as const).map((name) => ({ ...RULE, [name]: 7n }))]
  expect(new Set([...names, { ...RULE, decimals: 6 }].map(ruleName)).size).toBe(5)
})
