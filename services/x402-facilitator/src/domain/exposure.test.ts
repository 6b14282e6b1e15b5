import { describe, expect, test } from 'vitest'
import { allowanceOf, isNewPayer, weightOf } from './exposure.ts'

const rules = { start: 5, most: 50 }
const record = (credit: number) => ({ inFlight: 0, wasted: 0, credit })

test('weightOf: a contract counts twice, because it may burn the gas of a whole transfer', () => {
  expect(weightOf(false)).toBe(1)
  expect(weightOf(true)).toBe(2)
})

describe('allowanceOf', () => {
  test.each([
    [0, 5],
    [1, 6],
    [44, 49],
    [45, 50],
    [46, 50],
  ])('default: with %i settled payments to its credit, %i', (credit, allowance) => {
    expect(allowanceOf(record(credit), rules)).toBe(allowance)
  })

  test('behavior: wasted payments never take it below the start', () => {
    expect(allowanceOf(record(-3), rules)).toBe(5)
  })

  test('behavior: never less than the start, even where the maximum is set lower', () => {
    expect(allowanceOf(record(0), { start: 5, most: 3 })).toBe(5)
  })
})

describe('isNewPayer', () => {
  test.each([
    ['an account', false, 5],
    ['a contract, which costs nothing to make', true, 50],
  ])('default: %s is known after as many settlements as its probation requires', (_what, hasCode, probation) => {
    expect(isNewPayer(record(-1), hasCode, rules)).toBe(true)
    expect(isNewPayer(record(probation - 1), hasCode, rules)).toBe(true)
    expect(isNewPayer(record(probation), hasCode, rules)).toBe(false)
  })
})
