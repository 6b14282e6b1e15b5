import { rmSync } from 'node:fs'
import { chainIndexer } from '@callboard/chain-indexer'
import { router as operations } from '@callboard/contract'
import { type Devnet, openDevnet } from '@callboard/embedded'
import { erc20Abi, stakeAbi } from '@callboard/evm'
import { router } from '@callboard/router'
import type { ServiceModule } from '@callboard/runtime'
import {
  granted,
  startTestServices,
  type TestDatabase,
  type TestServices,
  testDatabase,
  until,
  wallet,
} from '@callboard/testkit'
import { serverFolder } from '@callboard/testkit/folder'
import { type NatsServer, startNatsServer } from '@callboard/testkit/servers'
import { createTestClient, http, publicActions, walletActions } from 'viem'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { devnetSettings } from '../src/embedded.ts'

const UNIT = 10n ** 18n
const OWNERS = [1, 2, 3].map((index) => wallet(index))

describe.runIf(inject('natsUrl'))('two indexers and two Routers over NATS', () => {
  let folder: string
  let devnet: Devnet
  let database: TestDatabase
  let nats: NatsServer
  let env: Record<string, string>
  const running: TestServices[] = []

  beforeAll(async () => {
    folder = serverFolder('callboard-stakes-')
    devnet = await openDevnet()
    database = await testDatabase(inject('postgresUrl'))
    nats = await startNatsServer({ storeDir: folder })
    const chain = { finality: 'tags', finalityDepth: 32, blockTimeMs: 100 }
    env = { ...(await devnetSettings(devnet, chain)), INDEXER_POLL_MS: '25', INDEXER_STANDBY_MS: '50' }
    for (const module of [chainIndexer, chainIndexer, router, router]) await start(module)
    for (const owner of OWNERS)
      await sent(owner, {
        address: devnet.stakeToken,
        abi: erc20Abi,
        functionName: 'approve',
        args: [devnet.stake, 10n ** 24n],
      })
  })
  afterAll(async () => {
    await Promise.all(running.map((one) => one.stop()))
    await Promise.all([nats.stop(), devnet.stop()])
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function start(module: ServiceModule): Promise<void> {
    running.push(
      await startTestServices([module], { databaseUrl: database.url, natsUrl: nats.url, eventsLinger: true, env }),
    )
  }

  /** Stops one of the running processes, and starts another instead. */
  async function replace(place: number, module: ServiceModule): Promise<void> {
    const [old] = running.splice(place, 1)
    await old?.stop()
    await start(module)
  }

  const node = () =>
    createTestClient({ mode: 'anvil', transport: http(devnet.rpcUrl), pollingInterval: 20 })
      .extend(publicActions)
      .extend(walletActions)

  async function sent(account: (typeof OWNERS)[number], call: object): Promise<void> {
    const hash = await node().writeContract({ account, chain: null, ...call } as never)
    expect((await node().waitForTransactionReceipt({ hash })).status).toBe('success')
  }

  const changed = (at: number, functionName: 'stake' | 'unstake', units: bigint) =>
    sent(OWNERS[at % OWNERS.length] as (typeof OWNERS)[number], {
      ...{ address: devnet.stake, abi: stakeAbi, functionName },
      args: [units * UNIT],
    })

  const seen = (address: `0x${string}`) =>
    running[0]?.call(operations.computeOfStake, { owner: address }).then((answer) => granted(answer).stake)

  const agreed = () =>
    until('the Router says of every owner what the contract says', async () => {
      for (const { address } of OWNERS) {
        const call = { address: devnet.stake, abi: stakeAbi, functionName: 'stakeOf', args: [address] } as const
        if ((await seen(address)) !== String(await node().readContract(call))) return false
      }
      return true
    })

  test('lose no stake and count none twice, across restarts and reorganisations', async () => {
    for (let round = 0; round < 12; round++) {
      await changed(round, 'stake', BigInt(100 + round))
      if (round % 3 === 2) await changed(round, 'unstake', 50n)
      if (round === 4) await replace(3, router)
      if (round === 6) await node().request({ method: 'anvil_reorg', params: [2, []] } as never)
      if (round === 8) await replace(0, chainIndexer)
    }
    await agreed()
    const repeats = await database.query(
      `select key, data ->> 'txHash' from chain_indexer.outbox where name = 'stake.changed.v1'
       group by 1, 2, data ->> 'blockHash' having count(*) > 1`,
    )
    expect(repeats).toEqual([])
  })
})
