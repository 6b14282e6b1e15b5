import {
  artifacts,
  chainClients,
  chainSet,
  clientOf,
  contractSignatureVerifier,
  erc20Abi,
  MULTICALL3,
} from '@callboard/evm'
import { encodeFunctionData, hashMessage } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Anvil } from './anvil.ts'
import { account, deploy, deployRail, mined, openChain, type TestChain } from './chain.ts'

const owner = account(1)
let anvil: Anvil
let chain: TestChain
let rail: Awaited<ReturnType<typeof deployRail>>

beforeAll(async () => {
  const opened = await openChain()
  anvil = opened.anvil
  chain = opened.chain
  await chain.setCode({ address: MULTICALL3, bytecode: artifacts.multicall3.deployedBytecode })
  rail = await deployRail(chain)
  await mined(chain, rail.usdc.write.mint([owner.address, 7n]))
})
afterAll(() => anvil.stop())

describe('Multicall3, placed by anvil_setCode', () => {
  test('answers viem’s multicall, and a failing read does not affect the others', async () => {
    const read = {
      address: rail.usdc.address,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [owner.address],
    } as const
    const wrong = { ...read, address: rail.factory.address } as const
    const answers = await chain.multicall({ contracts: [read, wrong] })
    expect(answers).toMatchObject([{ status: 'success', result: 7n }, { status: 'failure' }])
  })

  test('call failed: a call that must not fail reverts the whole batch', async () => {
    const callData = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner.address] })
    const args = [[{ target: rail.factory.address, allowFailure: false, callData }]] as const
    const { abi } = artifacts.multicall3
    await expect(
      chain.simulateContract({ address: MULTICALL3, abi, functionName: 'aggregate3', args }),
    ).rejects.toThrow('Multicall3: call failed')
  })
})

describe('contractSignatureVerifier on a real chain', () => {
  const hash = hashMessage('hello')
  const verifier = () => {
    const chains = chainSet({ devnet: { usdc: rail.usdc.address, splitterFactory: rail.factory.address } })
    const clients = chainClients({ chains, rpcUrls: { 'eip155:31337': [anvil.url] } })
    expect(clientOf(clients, 'eip155:31337').chain?.id).toBe(31337)
    return contractSignatureVerifier(clients)
  }

  test('true for the owner of a contract wallet, false for a third party and for malformed bytes', async () => {
    const address = await deploy(chain, artifacts.testWallet1271, [owner.address])
    const question = { chainId: 31337, address, hash }
    const verify = verifier()
    expect(await verify({ ...question, signature: await owner.sign({ hash }) })).toBe(true)
    expect(await verify({ ...question, signature: await account(2).sign({ hash }) })).toBe(false)
    expect(await verify({ ...question, signature: '0x1234' })).toBe(false)
  })

  test('false for an account without code and for a contract without EIP-1271', async () => {
    const verify = verifier()
    for (const address of [account(4).address, rail.usdc.address]) {
      expect(await verify({ chainId: 31337, address, hash, signature: `0x${'ab'.repeat(96)}` })).toBe(false)
    }
  })
})
