import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { batchGas, gasOfLeg, legsWithin } from './batch-gas.ts'

const legGasOf = fc.bigInt({ min: 21_000n, max: 500_000n })

describe('gasOfLeg', () => {
  test('default: adds to the leg’s own gas what a call cannot pass on, and 12,000 around it', () => {
    expect(gasOfLeg(63_000n)).toBe(76_000n)
    expect(gasOfLeg(62n)).toBe(12_062n)
    expect(gasOfLeg(63n)).toBe(12_064n)
  })

  test('behavior: 63/64 of what remains is exactly the gas of the leg', () => {
    fc.assert(
      fc.property(legGasOf, (legGas) => {
        const left = gasOfLeg(legGas) - 12_000n
        expect(left - left / 64n).toBe(legGas)
      }),
    )
  })
})

test('batchGas: 60,000 before the first leg, then the same amount for each leg', () => {
  expect(batchGas(0, 63_000n)).toBe(60_000n)
  expect(batchGas(1, 63_000n)).toBe(136_000n)
  expect(batchGas(3, 63_000n)).toBe(288_000n)
})

describe('legsWithin', () => {
  test.each([
    [288_000n, 3],
    [287_999n, 2],
    [136_000n, 1],
    [135_999n, 0],
    [60_000n, 0],
  ])('default: a limit of %i has room for %i', (gas, legs) => expect(legsWithin(gas, 63_000n)).toBe(legs))

  test('behavior: zero, and never less, where the limit is too low for the transaction itself', () => {
    expect(legsWithin(59_999n, 21_000n)).toBe(0)
    expect(legsWithin(0n, 21_000n)).toBe(0)
  })

  test('behavior: returns the most legs whose batch stays within the gas limit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 30_000_000n }), legGasOf, (gas, legGas) => {
        const legs = legsWithin(gas, legGas)
        if (legs > 0) expect(batchGas(legs, legGas)).toBeLessThanOrEqual(gas)
        expect(batchGas(legs + 1, legGas)).toBeGreaterThan(gas)
      }),
    )
  })
})
