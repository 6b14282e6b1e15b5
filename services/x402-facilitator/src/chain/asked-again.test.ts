import { artifacts, type ChainClient, type ChainClients, chainOf, devnetChain } from '@callboard/evm'
import type { Address, Hex } from '@callboard/values'
import { domainSeparator } from '@callboard/x402'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { BatchContracts } from './batch-contracts.ts'
import { TokenChecks } from './token-check.ts'

const usdc: Address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const chain = devnetChain({ usdc, splitterFactory: usdc, settlementBatch: usdc })
const chains = new Map([[chain.network, chain]])
const separator = domainSeparator({ name: 'USDC', version: '2', chainId: 31337, verifyingContract: usdc })

/** A node with what the two checks need; its answers may change. */
const node = { separator: '0x' as Hex, code: undefined as Hex | undefined, asked: 0 }
const client = {
  getChainId: async () => 31337,
  call: async () => ({ data: node.separator }),
  getCode: async () => {
    node.asked++
    return node.code
  },
} as Partial<ChainClient> as ChainClient
const clients: ChainClients = new Map([[chain.network, client]])

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  Object.assign(node, { separator: '0x', code: undefined, asked: 0 })
})
afterEach(() => vi.useRealTimers())

describe('a bad verdict', () => {
  test('on the token is checked again, and the network is offered again once the token proves right', async () => {
    const checks = new TokenChecks(chains, clients, () => {})
    expect(await checks.holds(chain.network)).toBe(false)
    expect(checks.isRefused(chain.network)).toBe(true)
    node.separator = separator
    expect(await checks.holds(chain.network)).toBe(false)
    vi.advanceTimersByTime(20_000)
    checks.isRefused(chain.network)
    await vi.waitFor(() => expect(checks.isRefused(chain.network)).toBe(false))
    expect(await checks.holds(chain.network)).toBe(true)
  })

  test('on the batch contract is checked again, and a good one is not', async () => {
    const batches = new BatchContracts(chains, clients, () => {})
    expect(await batches.of(chain.network)).toBeUndefined()
    node.code = artifacts.settlementBatch.deployedBytecode
    expect(await batches.of(chain.network)).toBeUndefined()
    vi.advanceTimersByTime(40_000)
    expect(await batches.of(chain.network)).toBe(chainOf(chains, chain.network).settlementBatch)
    vi.advanceTimersByTime(400_000)
    await batches.of(chain.network)
    expect(node.asked).toBe(2)
  })
})
