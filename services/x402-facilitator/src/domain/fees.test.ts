import fc from 'fast-check'
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

  test('behavior: the cap itself may be offered', () => {
    expect(firstFees(market, 10n)).toEqual({ maxFeePerGas: 10n, maxPriorityFeePerGas: 3n })
    expect(firstFees({ ...market, minMaxFeePerGas: 40n }, 40n)?.maxFeePerGas).toBe(40n)
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
    const low = { maxFeePerGas: 10n, maxPriorityFeePerGas: 1n }
    expect(replacementFees(stuck, low, 901n)?.maxFeePerGas).toBe(901n)
    expect(replacementFees(stuck, low, 900n)).toBeUndefined()
  })

  test('behavior: none whose tip is above what it offers in all', () => {
    const asks = (maxPriorityFeePerGas: bigint) => ({ maxFeePerGas: 10n, maxPriorityFeePerGas })
    expect(replacementFees(stuck, asks(901n), 2_000n)).toEqual({ maxFeePerGas: 901n, maxPriorityFeePerGas: 901n })
    expect(replacementFees(stuck, asks(902n), 2_000n)).toBeUndefined()
  })

  test('behavior: never less than an eighth more, whatever the rounding', () => {
    const fees = fc.bigInt({ min: 0n, max: 10n ** 12n })
    fc.assert(
      fc.property(fees, fees, fees, fees, (tip, above, freshTip, freshAbove) => {
        const before = { maxFeePerGas: tip + above, maxPriorityFeePerGas: tip }
        const fresh = { maxFeePerGas: freshTip + freshAbove, maxPriorityFeePerGas: freshTip }
        const next = replacementFees(before, fresh, 10n ** 13n)
        for (const part of ['maxFeePerGas', 'maxPriorityFeePerGas'] as const) {
          if (!next) continue
          expect(8n * next[part]).toBeGreaterThanOrEqual(9n * before[part])
          expect(next[part]).toBeGreaterThan(before[part])
          expect(next[part]).toBeGreaterThanOrEqual(fresh[part])
        }
      }),
    )
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
    expect(payableGas(0n, { ...fees, dataFee }, 100n)).toBe(0n)
  })

  test('behavior: the fee of a leg is spread over its gas, rounded against who spends', () => {
    const of = (perLeg: bigint) => payableGas(2_310n, { ...fees, dataFee: { plain: 0n, perLeg } }, 100n)
    expect([of(0n), of(1n), of(100n), of(101n)]).toEqual([231n, 210n, 210n, 192n])
  })

  test('behavior: gas that costs nothing is not divided by', () => {
    expect(payableGas(500n, { maxFeePerGas: 0n, dataFee: NO_DATA_FEE }, 100n)).toBe(500n)
  })

  test('behavior: never more than the amount pays for', () => {
    const wei = fc.bigInt({ min: 0n, max: 10n ** 18n })
    const fee = fc.bigInt({ min: 1n, max: 10n ** 9n })
    fc.assert(
      fc.property(wei, fee, wei, wei, fee, (amount, maxFeePerGas, plain, perLeg, legGas) => {
        const gas = payableGas(amount, { maxFeePerGas, dataFee: { plain, perLeg } }, legGas)
        expect(gas).toBeGreaterThanOrEqual(0n)
        if (gas > 0n) expect(gas * maxFeePerGas + plain + (gas / legGas) * perLeg).toBeLessThanOrEqual(amount)
      }),
    )
  })
})
