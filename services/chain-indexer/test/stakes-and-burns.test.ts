import { type TestDatabase, type TestServices, testDatabase, until } from '@callboard/testkit'
import { type Asked, rpcProxy } from '@callboard/testkit/servers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { account, openTestChain, type TestChain } from './chain.ts'
import { cursorOf, type IndexerOptions, metric, published, startIndexer } from './indexer.ts'
import { tokenContracts, tokenOn, toldOf } from './token.ts'

const DEPTH = 8
const UNIT = 10n ** 18n
const FAULTS = 'callboard_indexer_provider_errors_total'

let chain: TestChain
let token: ReturnType<typeof tokenOn>
let database: TestDatabase
let from: number
const running: TestServices[] = []

beforeAll(async () => {
  chain = await openTestChain()
  token = tokenOn(chain)
  for (const index of [1, 2, 3]) await token.approve(index)
})
afterAll(() => chain.devnet.stop())
beforeEach(async () => {
  database = await testDatabase(inject('postgresUrl'))
  from = (await chain.height()) + 1
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((services) => services.stop()))
  await database.drop()
})

const OPTIONS: IndexerOptions = { finality: 'tags', finalityDepth: DEPTH }

async function start(options: IndexerOptions = {}): Promise<TestServices> {
  const services = await startIndexer(database, chain, { ...OPTIONS, devnet: tokenContracts(chain), from, ...options })
  running.push(services)
  return services
}

async function follow(): Promise<TestServices> {
  const services = await start()
  await until('the chain is followed', async () => (await cursorOf(database)) === from - 1)
  return services
}

const caughtUp = () =>
  until('the cursor is at the head', async () => (await cursorOf(database)) === (await chain.height()))

describe('a stake', () => {
  test('is announced with the owner’s total after each change, and its place', async () => {
    await follow()
    const before = BigInt(await token.stakeOf(1))
    const staked = await token.stake(1, 30n * UNIT)
    const height = await chain.height()
    await token.unstake(1, 10n * UNIT)
    await caughtUp()
    const { changed } = await toldOf(database)
    expect(changed.map(({ stake }) => BigInt(stake) - before)).toEqual([30n * UNIT, 20n * UNIT])
    expect(changed[0]).toEqual({
      network: 'eip155:8453',
      txHash: staked,
      logIndex: 0,
      blockNumber: String(height),
      blockHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      observedAt: new Date(Number(await chain.timeOf(height)) * 1000).toISOString(),
      contract: chain.devnet.stake,
      owner: account(1).address,
      stake: String(before + 30n * UNIT),
    })
  })

  test('of a reverted transaction is not announced', async () => {
    await follow()
    await expect(token.unstake(3, 10n ** 30n)).rejects.toThrow('reverted')
    await token.stake(3, 1n)
    await caughtUp()
    expect((await toldOf(database)).changed).toHaveLength(1)
  })

  test('is found in history just as when it is followed live', async () => {
    for (let round = 1n; round <= 3n; round++) {
      await token.stake(2, round * UNIT)
      await chain.mine(20)
      await token.unstake(2, UNIT)
    }
    await start()
    await caughtUp()
    const { changed, believed } = await toldOf(database)
    expect(changed).toHaveLength(6)
    expect(believed).toEqual({ [account(2).address]: await token.stakeOf(2) })
  })
})

test('a burn is announced with its token, and settlements next to it as usual', async () => {
  await follow()
  const burned = await token.burn(1, 5n * UNIT)
  const paid = await chain.settle(2, 7n)
  await caughtUp()
  const { burned: told } = await toldOf(database)
  expect(told).toMatchObject([
    {
      txHash: burned,
      ledger: chain.devnet.burnLedger,
      token: chain.devnet.stakeToken,
      from: account(1).address,
      amount: String(5n * UNIT),
      decimals: 18,
    },
  ])
  expect((await published(database)).observed.map(({ nonce }) => nonce)).toEqual([paid.nonce])
})

describe('faults', () => {
  test('a reorganisation reverts stakes and burns and announces those of the new branch, once each', async () => {
    await follow()
    await token.stake(1, UNIT)
    await caughtUp()
    await token.stake(2, 4n * UNIT)
    await token.unstake(1, UNIT)
    await token.burn(3, UNIT)
    await caughtUp()
    await chain.reorg(3, [token.staking(2, 9n * UNIT)])
    await until('the new branch is told', async () => (await toldOf(database)).stakesReverted.length === 2)
    await caughtUp()
    const { believed, burned, burnsReverted } = await toldOf(database)
    expect(believed).toEqual({
      [account(1).address]: await token.stakeOf(1),
      [account(2).address]: await token.stakeOf(2),
    })
    expect(burnsReverted).toEqual(burned)
  })

  test('a restart in the middle causes no gaps or duplicates', async () => {
    const services = await follow()
    await token.stake(1, UNIT)
    await caughtUp()
    await services.stop()
    await token.stake(1, UNIT)
    await chain.mine(50)
    await token.burn(1, UNIT)
    await start()
    await caughtUp()
    const { changed, burned, believed } = await toldOf(database)
    expect([changed.length, burned.length]).toEqual([2, 1])
    expect(believed).toEqual({ [account(1).address]: await token.stakeOf(1) })
  })

  test.each([
    ['at the tip', false],
    ['of blocks that were read before the contract was named', true],
  ])('an endpoint that hides the logs %s is not believed', async (_what, isLater) => {
    const proxy = await rpcProxy(chain.devnet.rpcUrl)
    try {
      const before = await start(isLater ? { devnet: {} } : { urls: [proxy.url] })
      await until('the chain is followed', async () => (await cursorOf(database)) === from - 1)
      const hides = { result: ({ method }: Asked, result: unknown) => (method === 'eth_getLogs' ? [] : result) }
      if (!isLater) proxy.lie = hides
      await token.stake(1, UNIT)
      if (isLater) {
        await chain.mine(DEPTH)
        await caughtUp()
        await before.stop()
        proxy.lie = hides
      }
      const services = isLater ? await start({ urls: [proxy.url] }) : before
      await until('the lie is noticed', async () => ((await metric(services, FAULTS)) ?? 0) >= 1)
      expect((await toldOf(database)).changed).toEqual([])
      proxy.lie = {}
      await until('it is told', async () => (await toldOf(database)).changed.length === 1)
    } finally {
      await Promise.all(running.splice(0).map((services) => services.stop()))
      await proxy.close()
    }
  })

  test('error: a stake contract of a network that is not served is refused at start', async () => {
    const STAKE_CONTRACTS = JSON.stringify({ 'eip155:5042': chain.devnet.stake })
    const refused = start({ env: { STAKE_CONTRACTS } })
    await expect(refused).rejects.toThrow('STAKE_CONTRACTS names eip155:5042, which is not served')
  })
})

describe('contracts that are configured later', () => {
  const without: IndexerOptions = { devnet: {} }

  test('are read from the chain’s first block while the chain is followed', async () => {
    const before = await start(without)
    await token.stake(1, UNIT)
    await token.burn(1, UNIT)
    await chain.mine(40)
    await caughtUp()
    await before.stop()
    expect((await toldOf(database)).changed).toEqual([])
    await start()
    await token.stake(2, UNIT)
    await until('both are told', async () => (await toldOf(database)).changed.length === 2)
    const { believed, burned } = await toldOf(database)
    expect(believed).toEqual({
      [account(1).address]: await token.stakeOf(1),
      [account(2).address]: await token.stakeOf(2),
    })
    expect(burned).toHaveLength(1)
  })

  test('have their events announced once final, and only if these are still on the chain', async () => {
    await chain.mine(DEPTH * 2)
    const before = await start(without)
    await token.stake(1, UNIT)
    await token.stake(2, UNIT)
    await caughtUp()
    await before.stop()
    await start()
    await caughtUp()
    await chain.reorg(1)
    await chain.mine(DEPTH * 2)
    await until('what stands is told', async () => (await toldOf(database)).changed.length === 1)
    await caughtUp()
    expect((await toldOf(database)).believed).toEqual({ [account(1).address]: await token.stakeOf(1) })
  })

  test('have their stakes reverted when they are no longer configured, and announced again when they return', async () => {
    const before = await follow()
    await token.stake(1, UNIT)
    await token.burn(1, UNIT)
    await caughtUp()
    await before.stop()
    const other = await start(without)
    await until('it is taken back', async () => (await toldOf(database)).stakesReverted.length === 1)
    expect((await toldOf(database)).believed).toEqual({})
    expect((await toldOf(database)).burnsReverted).toEqual([])
    await other.stop()
    await chain.mine(DEPTH)
    await start()
    await until('it is told again', async () => (await toldOf(database)).changed.length === 2)
    expect((await toldOf(database)).believed).toEqual({ [account(1).address]: await token.stakeOf(1) })
    expect((await toldOf(database)).burned).toHaveLength(1)
  })
})
