import {
  chainClients,
  chainSet,
  deployTransaction,
  predictSplitter,
  readSplitterStates,
  splitterImplementation,
  splitterRuntime,
} from '@callboard/evm'
import { type Address, ZERO_ADDRESS } from '@callboard/values'
import { getAddress, pad, parseEventLogs, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Anvil } from './anvil.ts'
import { account, deployer, deployRail, mined, openChain, splitterAt, type TestChain, treasury } from './chain.ts'

let anvil: Anvil
let chain: TestChain
let rail: Awaited<ReturnType<typeof deployRail>>

beforeAll(async () => {
  const opened = await openChain()
  anvil = opened.anvil
  chain = opened.chain
  rail = await deployRail(chain)
})
afterAll(() => anvil.stop())

let wallets = 0
/** A wallet that no other test has used. */
const freshWallet = (): Address => getAddress(pad(toHex(0xca11_0000 + wallets++), { size: 20 }))

describe('the address of a splitter', () => {
  test('is the same on chain, off chain and after deployment', async () => {
    const wallet = freshWallet()
    const predicted = predictSplitter(rail.factory.address, wallet)
    expect(await rail.factory.read.predict([wallet])).toBe(predicted)
    const receipt = await mined(chain, rail.factory.write.create([wallet]))
    const [created] = parseEventLogs({ abi: rail.factory.abi, logs: receipt.logs, eventName: 'SplitterCreated' })
    expect(created?.args).toEqual({ wallet, splitter: predicted })
    expect(await chain.getCode({ address: predicted })).toBe(
      splitterRuntime(splitterImplementation(rail.factory.address), wallet),
    )
  })

  test('follows from the factory alone: the implementation is the factory’s first creation', async () => {
    expect(await rail.factory.read.implementation()).toBe(splitterImplementation(rail.factory.address))
  })

  test('does not depend on who deploys it', async () => {
    const wallet = freshWallet()
    await mined(chain, rail.factory.write.create([wallet], { account: account(5).address }))
    expect(await splitterAt(chain, predictSplitter(rail.factory.address, wallet)).read.payoutWallet()).toBe(wallet)
  })
})

describe('create', () => {
  test('is harmless when repeated: the same address, no event, cheaper than the first', async () => {
    const wallet = freshWallet()
    const first = await mined(chain, rail.factory.write.create([wallet]))
    const { result } = await rail.factory.simulate.create([wallet])
    const second = await mined(chain, rail.factory.write.create([wallet]))
    expect(result).toBe(predictSplitter(rail.factory.address, wallet))
    expect(second.logs).toEqual([])
    expect(first.gasUsed).toBeLessThan(80_000n)
    expect(second.gasUsed).toBeLessThan(30_000n)
  })

  test('refuses the zero wallet, which USDC could never pay', async () => {
    await expect(rail.factory.simulate.create([ZERO_ADDRESS])).rejects.toThrow('ZeroWallet')
  })
})

describe('the deploy transaction that a provider is given', () => {
  test('deploys the splitter and pays out the money that arrived before', async () => {
    const wallet = freshWallet()
    const splitter = predictSplitter(rail.factory.address, wallet)
    await mined(chain, rail.usdc.write.mint([splitter, 1_000_001n]))
    const before = await rail.usdc.read.balanceOf([treasury])
    const { to, data, value } = deployTransaction(rail.factory.address, wallet)
    await mined(chain, chain.sendTransaction({ account: account(4).address, to, data, value: BigInt(value) }))
    expect(await rail.usdc.read.balanceOf([wallet])).toBe(950_001n)
    expect((await rail.usdc.read.balanceOf([treasury])) - before).toBe(50_000n)
    expect(await rail.usdc.read.balanceOf([splitter])).toBe(0n)
  })

  test('succeeds if nothing has arrived, and when it is sent twice', async () => {
    const { to, data } = deployTransaction(rail.factory.address, freshWallet())
    await mined(chain, chain.sendTransaction({ account: deployer, to, data }))
    await mined(chain, chain.sendTransaction({ account: deployer, to, data }))
  })
})

test('readSplitterStates distinguishes before and after deployment', async () => {
  const wallet = freshWallet()
  const devnet = { usdc: rail.usdc.address, splitterFactory: rail.factory.address }
  const chains = chainSet({ devnet })
  const clients = chainClients({ chains, rpcUrls: { 'eip155:31337': [anvil.url] } })
  const address = predictSplitter(rail.factory.address, wallet)
  await mined(chain, rail.usdc.write.mint([address, 40n]))
  const state = { network: 'eip155:31337', address, factory: rail.factory.address }
  expect(await readSplitterStates(clients, chains, wallet)).toEqual([
    { ...state, deployed: false, balanceBaseUnits: 40n },
  ])
  await mined(chain, rail.factory.write.createAndDistribute([wallet]))
  expect(await readSplitterStates(clients, chains, wallet)).toEqual([
    { ...state, deployed: true, balanceBaseUnits: 0n },
  ])
})
