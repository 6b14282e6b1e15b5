import type { Hex } from '@callboard/values'
import { pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { artifacts } from './abis.ts'
import { immutablesOf, runtimeCode } from './runtime-code.ts'

const values = {
  usdc: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  treasury: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  feeBp: '0x01f4',
  self: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
} as const
const code = runtimeCode(artifacts.feeSplitter, values)

describe('runtimeCode', () => {
  test('default: fills in immutables at their positions, and changes nothing else', () => {
    expect(code.length).toBe(artifacts.feeSplitter.deployedBytecode.length)
    expect(code).toContain(values.treasury.slice(2).toLowerCase())
    const blank = Object.fromEntries(Object.keys(values).map((name) => [name, '0x00' as Hex]))
    expect(runtimeCode(artifacts.feeSplitter, blank)).toBe(artifacts.feeSplitter.deployedBytecode)
  })

  test('error: refuses an immutable without a value', () => {
    expect(() => runtimeCode(artifacts.feeSplitter, { usdc: '0x00' })).toThrow('the immutable treasury has no value')
  })
})

describe('immutablesOf', () => {
  test('default: reads the values from deployed code', () => {
    const found = Object.entries(values).map(([name, value]) => [name, pad(value, { size: 32 }).toLowerCase()])
    expect(immutablesOf(artifacts.feeSplitter, code)).toEqual(Object.fromEntries(found))
  })

  test('behavior: undefined for no code, other code, a changed byte, and an immutable whose copies differ', () => {
    const changed = (at: number) => `${code.slice(0, at)}${code[at] === '1' ? '2' : '1'}${code.slice(at + 1)}` as Hex
    expect(immutablesOf(artifacts.feeSplitter, undefined)).toBeUndefined()
    expect(immutablesOf(artifacts.feeSplitter, '0x6001')).toBeUndefined()
    expect(immutablesOf(artifacts.feeSplitter, changed(5))).toBeUndefined()
    const [, second = 0] = artifacts.feeSplitter.immutables.treasury
    expect(immutablesOf(artifacts.feeSplitter, changed(2 + 2 * (second + 31)))).toBeUndefined()
  })
})
