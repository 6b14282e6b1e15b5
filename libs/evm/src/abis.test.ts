import { type AbiFunction, toEventSelector, toFunctionSelector, toFunctionSignature } from 'viem'
import { describe, expect, test } from 'vitest'
import { artifacts, eip1271Abi, eip3009Abi, erc20Abi, multicall3Abi } from './abis.ts'

const functionsOf = (abi: readonly { readonly type: string }[]) =>
  abi.filter((item): item is AbiFunction => item.type === 'function')

const selectors = (abi: readonly { readonly type: string }[], name: string) =>
  functionsOf(abi)
    .filter((item) => item.name === name)
    .map((item) => toFunctionSelector(item))

describe('selectors and topics are those of the deployed tokens', () => {
  test.each([
    [erc20Abi, 'balanceOf', ['0x70a08231']],
    [eip3009Abi, 'transferWithAuthorization', ['0xe3ee160e', '0xcf092995']],
    [eip3009Abi, 'cancelAuthorization', ['0x5a049a70', '0xb7b72899']],
    [eip3009Abi, 'authorizationState', ['0xe94a0102']],
    [eip1271Abi, 'isValidSignature', ['0x1626ba7e']],
    [multicall3Abi, 'aggregate3', ['0x82ad56cb']],
  ])('%#: %s', (abi, name, expected) => {
    expect(selectors(abi, name)).toEqual(expected)
  })

  test('receiveWithAuthorization with v, r, s', () => {
    expect(selectors(eip3009Abi, 'receiveWithAuthorization')[0]).toBe('0xef55bec6')
  })

  test('events', () => {
    expect(toEventSelector(erc20Abi[8])).toBe('0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef')
    expect(toEventSelector(eip3009Abi[9])).toBe('0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5')
  })
})

test('the test token has every function through which we call USDC', () => {
  const offered = functionsOf(artifacts.testUSDC.abi).map(toFunctionSignature)
  const called = [...functionsOf(erc20Abi), ...functionsOf(eip3009Abi)].map(toFunctionSignature)
  expect(offered).toEqual(expect.arrayContaining(called))
})
