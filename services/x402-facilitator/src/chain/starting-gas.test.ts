import { expect, test } from 'vitest'
import { startingGas } from './starting-gas.ts'

test('default: 21,000 gas, 10 for each zero byte and 40 for each other one', () => {
  expect([startingGas('0x'), startingGas('0x00'), startingGas('0xff'), startingGas('0x0000ff01')]).toEqual([
    21_000n,
    21_010n,
    21_040n,
    21_100n,
  ])
})
