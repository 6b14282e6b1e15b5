import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstFees, NO_DATA_FEE, payableGas, replacementFees } from './fees.ts'

const market = { baseFeePerGas: 10n, priorityFeePerGas: 3n, minMaxFeePerGas: 0n }

describe('firstFees', () => {
  test('default: twice the base fee plus the tip', () => {
    expect(firstFees(market, 100n)).toEqual({ maxFeePerGas: 23n, maxPriorityFeePerGas: 3n })
  })

  test('behavior: neither the fee nor the tip exceeds the cap', () => {
    expect(firstFees(market, 12n)).toEqual({ maxFeePerGas: 12n, maxPriorityFeePerGas: 3n })
    expect(firstFees({ ...market, priorityFeePerGas: 50n }, 12n)).toEqual({
      maxFeePerGas: 12n,
      maxPriorityFeePerGas: 12n,
    })
  })

  test('behavior: never below what the chain accepts', () => {
    expect(firstFees({ ...market, minMaxFeePerGas: 40n }, 100n)?.maxFeePerGas).toBe(40n)
  })

  test('behavior: undefined where the chain asks more than the cap', () => {
    expect(firstFees(market, 9n)).toBeUndefined()
    expect(firstFees({ ...market, minMaxFeePerGas: 40n }, 39n)).toBeUndefined()
  })

  test('behavior: may offer the cap itself', () => {
    expect(firstFees(market, 10n)).toEqual({ maxFeePerGas: 10n, maxPriorityFeePerGas: 3n })
    expect(firstFees({ ...market, minMaxFeePerGas: 40n }, 40n)?.maxFeePerGas).toBe(40n)
  })
})

describe('replacementFees', () => {
  const stuck = { maxFeePerGas: 800n, maxPriorityFeePerGas: 80n }

  test('default: raises both parts by an eighth, as nodes require', () => {
    expect(replacementFees(stuck, { maxFeePerGas: 10n, maxPriorityFeePerGas: 1n }, 2_000n)).toEqual({
      maxFeePerGas: 901n,
      maxPriorityFeePerGas: 91n,
    })
  })

  test('behavior: what the chain asks now, where that is more', () => {
    expect(replacementFees(stuck, { maxFeePerGas: 1_500n, maxPriorityFeePerGas: 100n }, 2_000n)).toEqual({
      maxFeePerGas: 1_500n,
      maxPriorityFeePerGas: 100n,
    })
  })

  test('behavior: undefined where it would exceed the cap', () => {
    const low = { maxFeePerGas: 10n, maxPriorityFeePerGas: 1n }
    expect(replacementFees(stuck, low, 901n)?.maxFeePerGas).toBe(901n)
    expect(replacementFees(stuck, low, 900n)).toBeUndefined()
  })

  test('behavior: undefined where the tip would exceed the whole fee', () => {
    const asks = (maxPriorityFeePerGas: bigint) => ({ maxFeePerGas: 10n, maxPriorityFeePerGas })
    expect(replacementFees(stuck, asks(901n), 2_000n)).toEqual({ maxFeePerGas: 901n, maxPriorityFeePerGas: 901n })
    expect(replacementFees(stuck, asks(902n), 2_000n)).toBeUndefined()
  })

  test('behavior: never raises by less than an eighth, whatever the rounding', () => {
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

  test('default: the gas that an amount pays for, where a chain charges for gas alone', () => {
    expect(payableGas(2_000n, fees, 100n)).toBe(200n)
    expect(payableGas(0n, fees, 100n)).toBe(0n)
  })

  test('behavior: keeps back the data fee, for as many legs as the gas has room for', () => {
    const dataFee = { plain: 500n, perLeg: 1_000n }
    const gas = payableGas(20_500n, { ...fees, dataFee }, 100n)
    expect(gas).toBe(1_000n)
    expect(gas * fees.maxFeePerGas + dataFee.plain + (gas / 100n) * dataFee.perLeg).toBeLessThanOrEqual(20_500n)
    expect(payableGas(499n, { ...fees, dataFee }, 100n)).toBe(0n)
    expect(payableGas(0n, { ...fees, dataFee }, 100n)).toBe(0n)
  })

  test('behavior: spreads the fee of a leg over its gas, rounded against the spender', () => {
    const of = (perLeg: bigint) => payableGas(2_310n, { ...fees, dataFee: { plain: 0n, perLeg } }, 100n)
    expect([of(0n), of(1n), of(100n), of(101n)]).toEqual([231n, 210n, 210n, 192n])
  })

  test('behavior: does not divide by a gas price of zero', () => {
    expect(payableGas(500n, { maxFeePerGas: 0n, dataFee: NO_DATA_FEE }, 100n)).toBe(500n)
  })

  test('behavior: never returns more than the amount pays for', () => {
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
