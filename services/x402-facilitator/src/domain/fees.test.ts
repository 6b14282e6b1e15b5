import { describe, expect, test } from 'vitest'
import { firstFees, NO_DATA_FEE, payableGas, replacementFees } from './fees.ts'

const market = { baseFeePerGas: 10n, priorityFeePerGas: 3n, minMaxFeePerGas: 0n }

describe('firstFees', () => {
  test('default: twice the base fee and the tip', () => {
    expect(firstFees(market, 100n)).toEqual({ maxFeePerGas: 23n, maxPriorityFeePerGas: 3n })
  })

  test('behavior: never above the cap, the tip neither', () => {
    expect(firstFees(market, 12n)).toEqual({ maxFeePerGas: 12n, maxPriorityFeePerGas: 3n })
    expect(firstFees({ ...market, priorityFeePerGas: 50n }, 12n)).toEqual({
      maxFeePerGas: 12n,
      maxPriorityFeePerGas: 12n,
    })
  })

  test('behavior: never below what the chain takes', () => {
    expect(firstFees({ ...market, minMaxFeePerGas: 40n }, 100n)?.maxFeePerGas).toBe(40n)
  })

  test('behavior: none where the chain asks more than the cap', () => {
    expect(firstFees(market, 9n)).toBeUndefined()
    expect(firstFees({ ...market, minMaxFeePerGas: 40n }, 39n)).toBeUndefined()
  })
})

describe('replacementFees', () => {
  const stuck = { maxFeePerGas: 800n, maxPriorityFeePerGas: 80n }

  test('default: an eighth more in both parts, which nodes want', () => {
    expect(replacementFees(stuck, { maxFeePerGas: 10n, maxPriorityFeePerGas: 1n }, 2_000n)).toEqual({
      maxFeePerGas: 901n,
      maxPriorityFeePerGas: 91n,
    })
  })

  test('behavior: what the chain asks by now, where that is more', () => {
    expect(replacementFees(stuck, { maxFeePerGas: 1_500n, maxPriorityFeePerGas: 100n }, 2_000n)).toEqual({
      maxFeePerGas: 1_500n,
      maxPriorityFeePerGas: 100n,
    })
  })

  test('behavior: none above the cap', () => {
    expect(replacementFees(stuck, { maxFeePerGas: 10n, maxPriorityFeePerGas: 1n }, 900n)).toBeUndefined()
  })
})

describe('payableGas', () => {
  const fees = { maxFeePerGas: 10n, dataFee: NO_DATA_FEE }

  test('default: what an amount pays for, where a chain asks for gas alone', () => {
    expect(payableGas(2_000n, fees, 100n)).toBe(200n)
    expect(payableGas(0n, fees, 100n)).toBe(0n)
  })

  test('behavior: the data fee of the bytes is kept back, that of as many legs as the gas has room for', () => {
    const dataFee = { plain: 500n, perLeg: 1_000n }
    const gas = payableGas(20_500n, { ...fees, dataFee }, 100n)
    expect(gas).toBe(1_000n)
    expect(gas * fees.maxFeePerGas + dataFee.plain + (gas / 100n) * dataFee.perLeg).toBeLessThanOrEqual(20_500n)
    expect(payableGas(499n, { ...fees, dataFee }, 100n)).toBe(0n)
  })
})
