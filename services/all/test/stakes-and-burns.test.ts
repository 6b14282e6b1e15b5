import { catalog } from '@callboard/catalog'
import { chainIndexer } from '@callboard/chain-indexer'
import { catalog as catalogue, router as operations } from '@callboard/contract'
import { type Devnet, openDevnet } from '@callboard/embedded'
import { burnLedgerAbi, erc20Abi, stakeAbi } from '@callboard/evm'
import { router } from '@callboard/router'
import {
  type FakeClock,
  fakeClock,
  granted,
  startTestServices,
  type TestDatabase,
  type TestServices,
  testDatabase,
  until,
  wallet,
} from '@callboard/testkit'
import { DAY_MS } from '@callboard/values'
import { type Abi, createTestClient, http, publicActions, walletActions } from 'viem'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { devnetSettings } from '../src/embedded.ts'

const UNIT = 10n ** 18n
const owner = wallet(3)

let devnet: Devnet
let database: TestDatabase
let services: TestServices
let clock: FakeClock

beforeAll(async () => {
  devnet = await openDevnet()
  database = await testDatabase(inject('postgresUrl'))
  clock = fakeClock(Date.now())
  services = await startTestServices([chainIndexer, router, catalog], {
    databaseUrl: database.url,
    clock,
    env: {
      ...(await devnetSettings(devnet, { finality: 'tags', finalityDepth: 8, blockTimeMs: 100 })),
      ...{ INDEXER_POLL_MS: '25', LINK_SIGNING_KEY: 'a key of the tests that is long enough' },
      ...{ COMPUTE_DAILY_USD: '0.1', COMPUTE_USD_PER_STAKED_TOKEN: '0.001' },
    },
  })
  await send(devnet.stakeToken, erc20Abi, 'approve', [devnet.stake, 10_000n * UNIT])
  await send(devnet.stakeToken, erc20Abi, 'approve', [devnet.burnLedger, 10_000n * UNIT])
})
afterAll(async () => {
  await services.stop()
  await database.drop()
  await devnet.stop()
})

const node = () =>
  createTestClient({ mode: 'anvil', transport: http(devnet.rpcUrl), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)

async function send(address: `0x${string}`, abi: Abi, functionName: string, args: readonly unknown[]): Promise<string> {
  const hash = await node().writeContract({ account: owner, chain: null, address, abi, functionName, args })
  expect((await node().waitForTransactionReceipt({ hash })).status).toBe('success')
  return hash
}

const compute = async () => granted(await services.call(operations.computeOfStake, { owner: owner.address }))
const untilStaked = (units: bigint) =>
  until(`${units} are staked`, async () => {
    const now = await compute()
    return now.stake === units.toString() && now
  })

test('a stake on chain shows at once and gives Compute from the next day on; a reorganisation undoes it', async () => {
  const before = await compute()
  await send(devnet.stake, stakeAbi, 'stake', [900n * UNIT])
  expect(await untilStaked(900n * UNIT)).toEqual({ ...before, stake: String(900n * UNIT), computeTodayUsd: '0.1' })
  clock.advance(DAY_MS)
  expect(await compute()).toEqual({ epoch: before.epoch + 1, stake: String(900n * UNIT), computeTodayUsd: '1' })

  await send(devnet.stake, stakeAbi, 'unstake', [400n * UNIT])
  await untilStaked(500n * UNIT)
  await node().request({ method: 'anvil_reorg', params: [1, []] } as never)
  await untilStaked(900n * UNIT)
})

test('a burn on chain appears in the public ledger', async () => {
  const txHash = await send(devnet.burnLedger, burnLedgerAbi, 'burn', [(5n * UNIT) / 2n])
  const read = async () => granted(await services.call(catalogue.burns, { limit: 50 }))
  const page = await until('the burn shows', async () => {
    const now = await read()
    return now.burns.length > 0 && now
  })
  expect(page).toMatchObject({
    totalBurned: '2.5',
    burns: [{ network: devnet.network, txHash, from: owner.address, token: devnet.stakeToken, amount: '2.5' }],
  })
})
