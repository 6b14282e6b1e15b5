import { type Address, baseUnits, ZERO_ADDRESS } from '@callboard/values'
import fc from 'fast-check'
import { decodeFunctionData, getAddress, keccak256, size } from 'viem'
import { describe, expect, test } from 'vitest'
import { splitterFactoryAbi } from './abis.ts'
import {
  deployTransaction,
  isOurSplitter,
  predictSplitter,
  splitterCreationCode,
  splitterImplementation,
  splitterRuntime,
} from './splitter.ts'

const implementation: Address = `0x${'11'.repeat(20)}`
const factory: Address = `0x${'22'.repeat(20)}`
const wallet: Address = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C'

const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => getAddress(`0x${Buffer.from(bytes).toString('hex')}`))

describe('predictSplitter', () => {
  test('default: matches the vector computed with an independent encoder', () => {
    expect(keccak256(splitterCreationCode(implementation, wallet))).toBe(
      '0xea0240a094e9d73d9d8fdb7537ec032dbfca53bc3f957cf5c23117f569c961d1',
    )
    expect(predictSplitter(factory, wallet, implementation)).toBe('0xE6b7E5521e63f49C42663a1837f2E38bAbA8497f')
  })

  test('behavior: the letter case of the input changes nothing', () => {
    const lower = wallet.toLowerCase() as Address
    expect(predictSplitter(factory, lower, implementation)).toBe(predictSplitter(factory, wallet, implementation))
  })

  test('behavior: every wallet has its own address', () => {
    fc.assert(
      fc.property(address, address, (one, other) => {
        fc.pre(one !== other)
        return predictSplitter(factory, one) !== predictSplitter(factory, other)
      }),
      { numRuns: 50 },
    )
  })
})

test('splitterImplementation is the first creation of the factory', () => {
  // The widely published test vector of CREATE: this account with nonce 1.
  expect(splitterImplementation('0x6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0')).toBe(
    getAddress('0x343c43a37d37dff08ae8c4a11544c718abb4fcf8'),
  )
})

describe('isOurSplitter', () => {
  const runtime = splitterRuntime(implementation, wallet)

  test('default: true for 45 bytes of delegation and the wallet', () => {
    expect(size(runtime)).toBe(65)
    expect(isOurSplitter(runtime, implementation, wallet)).toBe(true)
    expect(isOurSplitter(runtime.toUpperCase().replace('0X', '0x') as Address, implementation, wallet)).toBe(true)
  })

  test('behavior: false without code, for another wallet, another implementation and for trailing bytes', () => {
    expect(isOurSplitter(undefined, implementation, wallet)).toBe(false)
    expect(isOurSplitter('0x', implementation, wallet)).toBe(false)
    expect(isOurSplitter(runtime, implementation, ZERO_ADDRESS)).toBe(false)
    expect(isOurSplitter(runtime, factory, wallet)).toBe(false)
    expect(isOurSplitter(`${runtime}00`, implementation, wallet)).toBe(false)
  })
})

test('deployTransaction calls createAndDistribute for the wallet and carries no money', () => {
  const { to, data, value } = deployTransaction(factory, wallet)
  expect(to).toBe(factory)
  expect(baseUnits(value, 18)).toBe(0n)
  expect(decodeFunctionData({ abi: splitterFactoryAbi, data })).toEqual({
    functionName: 'createAndDistribute',
    args: [wallet],
  })
})
