import { startTestServices, type TestDatabase, type TestServices, testDatabase, until } from '@callboard/testkit'
import { encodeBuilderCodeSuffix } from '@callboard/x402'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { chainIndexer } from '../src/index.ts'
import { account, openTestChain, type TestChain } from './chain.ts'
import { believed, cursorOf, type IndexerOptions, metric, published, recorded, startIndexer } from './indexer.ts'

let chain: TestChain
let database: TestDatabase
const running: TestServices[] = []

beforeAll(async () => {
  chain = await openTestChain()
})
afterAll(async () => {
  await chain.devnet.stop()
})
beforeEach(async () => {
  database = await testDatabase(inject('postgresUrl'))
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((services) => services.stop()))
  await database.drop()
})

async function start(options: IndexerOptions = {}): Promise<TestServices> {
  const services = await startIndexer(database, chain, options)
  running.push(services)
  return services
}

async function startHere(): Promise<{ services: TestServices; from: number }> {
  const from = (await chain.height()) + 1
  const services = await start({ from })
  await until('the chain is followed', async () => (await cursorOf(database)) === from - 1)
  return { services, from }
}

const caughtUp = () =>
  until('the cursor is at the head', async () => (await cursorOf(database)) === (await chain.height()))

/** What was observed, each with its submitter: published together near the tip, and later in history. */
const attributed = (of: TestDatabase) =>
  until('all is attributed', async () => {
    const { observed, attributed } = await published(of)
    const brought = new Map(attributed.map((one) => [one.txHash, one]))
    const whole = observed.map((one) => ({ ...one, ...brought.get(one.txHash) }))
    return whole.every(({ facilitator }) => facilitator !== null) && whole
  })

describe('a settlement', () => {
  test('is observed within a second of its block, with everything that the chain says about it', async () => {
    await startHere()
    const paid = await chain.settle(1, 12_345n)
    const height = await chain.height()
    const seen = await until('it is observed', async () => (await published(database)).observed[0], 1_000)
    expect(seen).toEqual({
      network: 'eip155:8453',
      txHash: paid.txHash,
      logIndex: 1,
      blockNumber: String(height),
      blockHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      observedAt: new Date(Number(await chain.timeOf(height)) * 1000).toISOString(),
      payer: account(1).address,
      payTo: account(8).address,
      asset: chain.devnet.usdc.address,
      amount: '12345',
      decimals: 6,
      nonce: paid.nonce,
      facilitator: chain.sender,
      builderCodes: null,
    })
  })

  test('names the builder codes at the end of its calldata (ERC-8021)', async () => {
    await startHere()
    const codes = { a: 'bc_app', w: 'bc_fac', s: ['svc'] }
    const { nonce, data } = await chain.authorize(1, 5n)
    await chain.send(`${data}${encodeBuilderCodeSuffix(codes).slice(2)}`)
    await caughtUp()
    expect((await published(database)).observed).toMatchObject([{ nonce, builderCodes: codes }])
  })

  test('in a batch is observed like a single one: 300 in one transaction', async () => {
    const { from } = await startHere()
    const all = await Promise.all(Array.from({ length: 300 }, (_, at) => chain.authorize(1 + (at % 5), BigInt(at + 1))))
    const txHash = await chain.settleBatch(all)
    await caughtUp()
    const { observed } = await published(database)
    expect(observed.map((one) => [one.nonce, one.amount, one.payer])).toEqual(
      all.map((one) => [one.nonce, String(one.value), one.payer]),
    )
    expect(new Set(observed.map((one) => one.txHash))).toEqual(new Set([txHash]))
    expect(await believed(database)).toEqual(await chain.truth(from))
  })

  test('is neither a transfer without authorization nor a cancelled authorization', async () => {
    await startHere()
    await chain.transfer(account(3).address, 5n)
    await chain.cancel(2)
    const paid = await chain.settle(2, 7n)
    await caughtUp()
    expect((await published(database)).observed.map(({ nonce }) => nonce)).toEqual([paid.nonce])
  })
})

describe('catching up', () => {
  test('over many blocks gives the same as following live, and attribution is published soon after', async () => {
    const { services, from } = await startHere()
    for (let round = 0; round < 6; round++) {
      await chain.settle(round, 10n)
      await chain.mine(20)
      await chain.settleBatch([await chain.authorize(round, 1n), await chain.authorize(round, 2n)])
    }
    await caughtUp()
    const live = await attributed(database)
    await services.stop()
    expect(await believed(database)).toEqual(await chain.truth(from))

    const second = await testDatabase(inject('postgresUrl'))
    try {
      const late = await startIndexer(second, chain, { from })
      await until('it has caught up', async () => (await cursorOf(second)) === (await chain.height()))
      expect(await attributed(second)).toEqual(live)
      await late.stop()
      expect(live).toHaveLength(18)
      const rows = 'select tx_hash, log_index, facilitator, builder_codes from chain_indexer.settlement order by 1, 2'
      expect(await second.query(rows)).toEqual(await database.query(rows))
    } finally {
      await second.drop()
    }
  })

  test('after a restart continues where it stopped, without gaps or duplicates', async () => {
    const { services, from } = await startHere()
    await chain.settle(1, 1n)
    await caughtUp()
    await services.stop()
    await chain.settle(2, 2n)
    await chain.mine(50)
    await chain.settle(3, 3n)
    await start({ from: 0 })
    await caughtUp()
    expect(await believed(database)).toEqual(await chain.truth(from))
    expect((await published(database)).observed).toHaveLength(3)
  })

  test('over a range that was read before adds nothing', async () => {
    const { services, from } = await startHere()
    await chain.settle(1, 1n)
    await chain.mine(40)
    await caughtUp()
    await services.stop()
    await database.query('update chain_indexer.chain_cursor set block_number = $1, block_hash = $2', [
      from - 1,
      await hashAt(from - 1),
    ])
    await start()
    await caughtUp()
    expect((await published(database)).observed).toHaveLength(1)
    expect(await recorded(database)).toEqual(await chain.truth(from))
  })
})

const hashAt = async (height: number) =>
  ((await chain.rpc('eth_getBlockByNumber', `0x${height.toString(16)}`, false)) as { hash: string }).hash

describe('the first block', () => {
  test('is block 0 on a local chain', async () => {
    await chain.settle(4, 4n)
    await start()
    await caughtUp()
    expect(await believed(database)).toEqual(await chain.truth(0))
  })

  test('is the newest one on a public chain', async () => {
    await chain.settle(5, 5n)
    const services = await startTestServices([chainIndexer], {
      databaseUrl: database.url,
      env: { RPC_URLS: JSON.stringify({ 'eip155:8453': [chain.devnet.rpcUrl] }) },
    })
    running.push(services)
    await caughtUp()
    const [cursor] = await database.query<{ first_block: string }>('select first_block from chain_indexer.chain_cursor')
    expect(Number(cursor?.first_block)).toBe(await chain.height())
  })

  test('error: a start block of a network that is not served is refused at start', async () => {
    const refused = start({ env: { START_BLOCKS: JSON.stringify({ 'eip155:5042': 1 }) } })
    await expect(refused).rejects.toThrow('START_BLOCKS names eip155:5042, which is not served')
  })
})

test('the metrics show head and cursor, by network', async () => {
  const { services } = await startHere()
  await chain.settle(1, 1n)
  await caughtUp()
  const height = await chain.height()
  await until('both gauges are there', async () =>
    [
      await metric(services, 'callboard_indexer_head_block'),
      await metric(services, 'callboard_indexer_cursor_block'),
    ].every((value) => value === height),
  )
  expect(await services.metrics.registry.metrics()).toContain('callboard_indexer_cursor_block{network="eip155:8453"}')
})
