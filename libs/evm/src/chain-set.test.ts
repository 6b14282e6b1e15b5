import type { Address } from '@callboard/values'
import { getAddress, hashDomain } from 'viem'
import { describe, expect, test } from 'vitest'
import { chainByV1Name, chainOf, chainSet } from './chain-set.ts'
import { type Chain, PUBLIC_CHAINS } from './chains.ts'

const usdc: Address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const splitterFactory: Address = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'

const domainSeparator = ({ chainId, usdc: { address, name, version } }: Chain) =>
  hashDomain({
    domain: { name, version, chainId: BigInt(chainId), verifyingContract: address },
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
    },
  })

describe('PUBLIC_CHAINS', () => {
  test.each([
    ['eip155:8453', '0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f'],
    ['eip155:84532', '0x71f17a3b2ff373b803d70a5a07c046c1a2bc8e89c09ef722fcb047abe94c9818'],
    ['eip155:5042', '0x940506929bba468048a19b567f4f0d534714bc06604b5c3017e5d16785ccdf84'],
    ['eip155:5042002', '0x361191522483d32a83e70ae7183b4b9629442c13a78bc9921d6f707911c8c6b0'],
  ] as const)('%s gives the domain separator of its USDC', (network, separator) => {
    expect(domainSeparator(chainOf(chainSet({ networks: [network] }), network))).toBe(separator)
  })

  test('addresses are in EIP-55, and CAIP-2 agrees with the chain id', () => {
    for (const { network, chainId, usdc: token, multicall3 } of PUBLIC_CHAINS) {
      expect(token.address).toBe(getAddress(token.address))
      expect(multicall3).toBe(getAddress(multicall3))
      expect(network).toBe(`eip155:${chainId}`)
    }
  })

  test('Arc requires at least 20 gwei and has no version 1 name', () => {
    const arc = chainOf(chainSet({ networks: ['eip155:5042'] }), 'eip155:5042')
    expect(arc).toMatchObject({ minMaxFeePerGas: 20_000_000_000n, finality: 'instant', finalityDepth: 0 })
    expect(arc.v1Name).toBeUndefined()
  })
})

describe('chainSet', () => {
  test('default: only the named networks, with factories where given', () => {
    const chains = chainSet({
      networks: ['eip155:8453', 'eip155:5042'],
      splitterFactories: { 'eip155:8453': splitterFactory },
      splitterTreasuries: { 'eip155:8453': usdc },
    })
    expect([...chains.keys()]).toEqual(['eip155:8453', 'eip155:5042'])
    expect(chainOf(chains, 'eip155:8453').splitterTreasury).toBe(usdc)
    expect(chainOf(chains, 'eip155:8453').splitterFactory).toBe(splitterFactory)
    expect(chainOf(chains, 'eip155:5042').splitterFactory).toBeUndefined()
  })

  test('behavior: the devnet has the contracts that its start deployed', () => {
    const chains = chainSet({ devnet: { usdc, splitterFactory } })
    expect(chainOf(chains, 'eip155:31337')).toMatchObject({
      chainId: 31337,
      usdc: { address: usdc, name: 'USDC', version: '2', decimals: 6 },
      splitterFactory,
      finality: 'instant',
      finalityDepth: 0,
    })
  })

  test('behavior: a devnet with the id of Base replaces Base', () => {
    const devnet = { usdc, splitterFactory, chainId: 8453, usdcName: 'USD Coin', v1Name: 'base' }
    const chains = chainSet({ networks: ['eip155:8453'], devnet: { ...devnet, finality: 'tags' } })
    expect(chains.size).toBe(1)
    expect(chainByV1Name(chains, 'base')).toMatchObject({
      usdc: { address: usdc, name: 'USD Coin' },
      finalityDepth: 64,
    })
  })

  test('behavior: has a settlement batch contract where one is given', () => {
    const settlementBatches = { 'eip155:8453': splitterFactory } as const
    const chains = chainSet({ networks: ['eip155:8453', 'eip155:5042'], settlementBatches })
    expect(chainOf(chains, 'eip155:8453').settlementBatch).toBe(splitterFactory)
    expect(chainOf(chains, 'eip155:5042').settlementBatch).toBeUndefined()
  })

  test('error: names every unknown network and every unused contract at once', () => {
    const idle = { 'eip155:8453': splitterFactory } as const
    const splitterTreasuries = { 'eip155:8453': usdc } as const
    const contracts = { splitterFactories: idle, splitterTreasuries, settlementBatches: idle }
    expect(() => chainSet({ networks: ['eip155:1'], ...contracts })).toThrow(
      'eip155:1 is not a chain that Callboard knows; eip155:8453 has a splitter factory but is not served; ' +
        'eip155:8453 has a settlement batch contract but is not served',
    )
  })

  test('error: refuses a splitter factory without a treasury, because it could not be checked', () => {
    const splitterFactories = { 'eip155:8453': splitterFactory } as const
    expect(() => chainSet({ networks: ['eip155:8453'], splitterFactories })).toThrow(
      'eip155:8453 has a splitter factory and no treasury: set SPLITTER_TREASURIES',
    )
  })
})

test('chainOf error: refuses a network that is not served', () => {
  expect(() => chainOf(chainSet({}), 'eip155:8453')).toThrow('eip155:8453 is not served here')
})

test('chainByV1Name finds served chains only', () => {
  const chains = chainSet({ networks: ['eip155:8453'] })
  expect(chainByV1Name(chains, 'base')?.network).toBe('eip155:8453')
  expect(chainByV1Name(chains, 'base-sepolia')).toBeUndefined()
})
