import { authorizationTypes, eip3009ABI } from '@x402/evm'
import fc from 'fast-check'
import { encodeFunctionData, hashTypedData, hexToSignature, keccak256, stringToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { AUTHORIZATION, BASE_DOMAIN, DIGEST, SIGNATURE } from '../../test/vectors.ts'
import { AddressText, Hash32, HexText } from '../address.ts'
import {
  AUTHORIZATION_USED_TOPIC,
  authorizationDigest,
  CANCEL_AUTHORIZATION_TYPEHASH,
  domainSeparator,
  RECEIVE_WITH_AUTHORIZATION_TYPEHASH,
  TRANSFER_WITH_AUTHORIZATION_TYPEHASH,
  transferCalldataBytes,
  transferCalldataVrs,
} from './eip3009.ts'

const TERMS = 'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce'

const address = fc.stringMatching(/^0x[0-9a-f]{40}$/).map((text) => AddressText.parse(text))
const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String)
const authorization = fc.record({
  from: address,
  to: address,
  value: uint256,
  validAfter: uint256,
  validBefore: uint256,
  nonce: fc.stringMatching(/^0x[0-9a-f]{64}$/).map((text) => Hash32.parse(text)),
})
const domain = fc.record({
  name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  version: fc.string({ minLength: 1, maxLength: 4 }),
  chainId: fc.integer({ min: 1 }),
  verifyingContract: address,
})

const numbers = (terms: typeof AUTHORIZATION) => ({
  ...terms,
  value: BigInt(terms.value),
  validAfter: BigInt(terms.validAfter),
  validBefore: BigInt(terms.validBefore),
})

describe('constants', () => {
  test.each([
    [TRANSFER_WITH_AUTHORIZATION_TYPEHASH, `TransferWithAuthorization(${TERMS})`],
    [RECEIVE_WITH_AUTHORIZATION_TYPEHASH, `ReceiveWithAuthorization(${TERMS})`],
    [CANCEL_AUTHORIZATION_TYPEHASH, 'CancelAuthorization(address authorizer,bytes32 nonce)'],
    [AUTHORIZATION_USED_TOPIC, 'AuthorizationUsed(address,bytes32)'],
  ])('default: %s is the hash of its type', (hash, type) => {
    expect(hash).toBe(keccak256(stringToHex(type)))
  })
})

describe('domainSeparator', () => {
  const arc = '0x3600000000000000000000000000000000000000'
  const baseSepolia = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
  test.each([
    ['Base', BASE_DOMAIN, '0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f'],
    [
      'Base Sepolia',
      { name: 'USDC', version: '2', chainId: 84532, verifyingContract: baseSepolia },
      '0x71f17a3b2ff373b803d70a5a07c046c1a2bc8e89c09ef722fcb047abe94c9818',
    ],
    [
      'Arc',
      { name: 'USDC', version: '2', chainId: 5042, verifyingContract: arc },
      '0x940506929bba468048a19b567f4f0d534714bc06604b5c3017e5d16785ccdf84',
    ],
    [
      'Arc testnet',
      { name: 'USDC', version: '2', chainId: 5042002, verifyingContract: arc },
      '0x361191522483d32a83e70ae7183b4b9629442c13a78bc9921d6f707911c8c6b0',
    ],
  ] as const)('default: has the value of USDC on %s', (_, usdc, separator) => {
    expect(domainSeparator(usdc)).toBe(separator)
    expect(domainSeparator({ ...usdc })).toBe(separator)
  })
})

describe('authorizationDigest', () => {
  test('default: matches the published vector', () => {
    expect(authorizationDigest(BASE_DOMAIN, AUTHORIZATION)).toBe(DIGEST)
  })

  test('behavior: equals viem hashTypedData over the types of @x402/evm', () => {
    fc.assert(
      fc.property(domain, authorization, (of, terms) => {
        const typed = {
          types: authorizationTypes,
          primaryType: 'TransferWithAuthorization',
          domain: of,
          message: numbers(terms),
        } as const
        expect(authorizationDigest(of, terms)).toBe(hashTypedData(typed))
      }),
    )
  })

  test('behavior: ignores the letter case of addresses and nonce', () => {
    const lower = { ...AUTHORIZATION, from: AUTHORIZATION.from.toLowerCase() as typeof AUTHORIZATION.from }
    expect(authorizationDigest(BASE_DOMAIN, lower)).toBe(DIGEST)
  })
})

describe('calldata', () => {
  const common = (terms: typeof AUTHORIZATION) => {
    const { from, to, value, validAfter, validBefore, nonce } = numbers(terms)
    return [from, to, value, validAfter, validBefore, nonce] as const
  }

  test('default: equals viem over the ABI of @x402/evm, for (v, r, s)', () => {
    const { r, s } = hexToSignature(SIGNATURE)
    fc.assert(
      fc.property(authorization, (terms) => {
        const args = [...common(terms), 27, r, s] as const
        const expected = encodeFunctionData({ abi: eip3009ABI, functionName: 'transferWithAuthorization', args })
        expect(transferCalldataVrs(terms, SIGNATURE)).toBe(expected)
      }),
    )
  })

  test('default: equals viem over the ABI of @x402/evm, for bytes of any length', () => {
    const bytes = fc
      .uint8Array({ maxLength: 300 })
      .map((value) => HexText.parse(`0x${Buffer.from(value).toString('hex')}`))
    fc.assert(
      fc.property(authorization, bytes, (terms, signature) => {
        const args = [...common(terms), signature] as const
        const expected = encodeFunctionData({ abi: eip3009ABI, functionName: 'transferWithAuthorization', args })
        expect(transferCalldataBytes(terms, signature)).toBe(expected)
      }),
    )
  })
})
