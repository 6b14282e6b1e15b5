import type { ObservedSplitter, ObservedSupplyChange } from '@callboard/contract'
import { artifacts, erc20Abi } from '@callboard/evm'
import { type TestDatabase, type TestServices, testDatabase, until } from '@callboard/testkit'
import type { Address, Hex } from '@callboard/values'
import { type Abi, encodeFunctionData } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { account, openTestChain, type TestChain } from './chain.ts'
import { cursorOf, startIndexer } from './indexer.ts'
import { tokenContracts, tokenOn } from './token.ts'

const UNIT = 10n ** 18n

let chain: TestChain
let token: ReturnType<typeof tokenOn>
let database: TestDatabase
let services: TestServices
beforeAll(async () => {
  chain = await openTestChain()
  token = tokenOn(chain)
  await token.approve(1)
})
afterAll(() => chain.devnet.stop())
beforeEach(async () => {
  database = await testDatabase(inject('postgresUrl'))
})
afterEach(async () => {
  await services.stop()
  await database.drop()
})

const DEPTH = 8

const follow = async (from = 0, stake: Address = chain.devnet.stake) => {
  services = await startIndexer(database, chain, {
    ...{ finality: 'tags', finalityDepth: DEPTH, devnet: { ...tokenContracts(chain), stake }, from },
  })
  await caughtUp()
}
const caughtUp = () =>
  until('the cursor is at the head', async () => (await cursorOf(database)) === (await chain.height()))

async function said<Data>(name: string): Promise<Data[]> {
  const rows = await database.query<{ data: Data }>(
    `select data from chain_indexer.outbox where name = '${name}' order by sequence`,
  )
  return rows.map(({ data }) => data)
}

const changes = async () => {
  const sum = (all: readonly ObservedSupplyChange[], of: 'totalChange' | 'lockedChange') =>
    all.reduce((total, one) => total + BigInt(one[of]), 0n)
  const [changed, reverted] = [
    await said<ObservedSupplyChange>('supply.changed.v1'),
    await said<ObservedSupplyChange>('supply.reverted.v1'),
  ]
  return (['totalChange', 'lockedChange'] as const).map((of) => sum(changed, of) - sum(reverted, of))
}

const onChain = async (functionName: string, to: Address, args: readonly unknown[] = []): Promise<bigint> => {
  const data = encodeFunctionData({ abi: artifacts.testStakeToken.abi as Abi, functionName, args })
  return BigInt((await chain.rpc('eth_call', { to, data }, 'latest')) as Hex)
}

/** The token's own state. */
const truth = async (stake: Address = chain.devnet.stake) => [
  await onChain('totalSupply', chain.devnet.stakeToken),
  await onChain('balanceOf', chain.devnet.stakeToken, [stake]),
]

test('supply changes add up to the token’s own numbers, through mints, burns, stakes and a reorganization', async () => {
  await token.stake(1, 3n * UNIT)
  await follow()
  expect(await changes()).toEqual(await truth())
  await token.unstake(1, UNIT)
  await token.burn(1, 2n * UNIT)
  await caughtUp()
  expect(await changes()).toEqual(await truth())
  await chain.reorg(2)
  await chain.mine(1)
  await until('what was taken back is told', async () => (await said('supply.reverted.v1')).length > 0)
  await caughtUp()
  expect(await changes()).toEqual(await truth())
})

test('what is locked is what the configured stake contract holds, also after it is replaced', async () => {
  await token.stake(1, 3n * UNIT)
  await follow()
  expect(await changes()).toEqual(await truth())
  for (const stake of [account(7).address, chain.devnet.stake]) {
    await services.stop()
    await chain.mine(DEPTH)
    await follow(0, stake)
    await expect.poll(changes, { timeout: 10_000 }).toEqual(await truth(stake))
  }
})

test('a transfer between wallets is not announced', async () => {
  await follow((await chain.height()) + 1)
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [account(2).address, UNIT] })
  await chain.send(data, chain.devnet.stakeToken, 200_000n, 1)
  await chain.settle(1, 5n)
  await until('the payment is told', async () => (await said('settlement.observed.v1')).length > 0)
  expect(await said('supply.changed.v1')).toEqual([])
})

test('a splitter is announced with its wallet, and reverted with its block', async () => {
  await follow((await chain.height()) + 1)
  const wallet = account(4).address
  const data = encodeFunctionData({
    ...{ abi: artifacts.splitterFactory.abi as Abi, functionName: 'create', args: [wallet] },
  })
  await chain.send(data, chain.devnet.splitterFactory, 300_000n)
  await until('it is told', async () => (await said('splitter.created.v1')).length > 0)
  const [created] = await said<ObservedSplitter>('splitter.created.v1')
  expect(created?.wallet).toBe(wallet)
  expect(await chain.rpc('eth_getCode', created?.splitter, 'latest')).not.toBe('0x')
  await caughtUp()
  await chain.reorg(1)
  await chain.mine(1)
  await until('it is taken back', async () => (await said('splitter.reverted.v1')).length > 0)
})
