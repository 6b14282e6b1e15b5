import { type TestDatabase, type TestServices, testDatabase, until } from '@callboard/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { type Authorized, openTestChain, type TestChain } from './chain.ts'
import { believed, cursorOf, type IndexerOptions, metric, published, recorded, startIndexer } from './indexer.ts'

const DEPTH = 8

let chain: TestChain
let database: TestDatabase
let services: TestServices
let from: number

beforeAll(async () => {
  chain = await openTestChain()
  await chain.mine(DEPTH)
})
afterAll(async () => {
  await chain.devnet.stop()
})
beforeEach(async () => {
  database = await testDatabase(inject('postgresUrl'))
})
afterEach(async () => {
  await services.stop()
  await database.drop()
})

async function start(options: IndexerOptions = {}): Promise<void> {
  from = (await chain.height()) + 1
  services = await startIndexer(database, chain, { from, finality: 'tags', finalityDepth: DEPTH, ...options })
  await until('the chain is followed', async () => (await cursorOf(database)) === from - 1)
}

/** Pays once per block. */
async function settleInBlocks(blocks: number): Promise<Authorized[]> {
  const paid: Authorized[] = []
  for (let at = 0; at < blocks; at++) paid.push(await chain.settle(1 + (at % 5), BigInt(100 + at)))
  return paid
}

const agreed = () =>
  until('rows, events and the chain agree', async () => {
    const [truth, rows] = [await chain.truth(from), await recorded(database)]
    const isAtHead = (await cursorOf(database)) === (await chain.height())
    return isAtHead && rows.join() === truth.join() && (await believed(database)).join() === truth.join()
  })

test.each(Array.from({ length: DEPTH }, (_, at) => at + 1))(
  'a reorganisation of %i blocks reverts what they held and observes the new branch, once each',
  async (depth) => {
    await start()
    const paid = await settleInBlocks(DEPTH + 2)
    await agreed()
    const gone = paid.slice(-depth)
    const [again] = gone
    if (!again) throw new Error('nothing was paid')
    const other = await chain.authorize(6, 999n)
    await chain.reorg(depth, [again, other])
    await agreed()
    const { observed, reverted } = await published(database)
    expect(reverted).toHaveLength(depth)
    expect(observed).toHaveLength(paid.length + 2)
    expect(observed.filter(({ nonce }) => nonce === again.nonce)).toHaveLength(2)
    await until('it is counted', async () => (await metric(services, 'callboard_indexer_reorgs_total')) === 1)
    await settleInBlocks(2)
    await agreed()
  },
)

test('a reorganisation right after the first start, below the first block read, loses nothing', async () => {
  await start()
  await chain.reorg(3, [await chain.authorize(1, 1n)])
  await settleInBlocks(1)
  await until('the new branch is recorded', async () => (await cursorOf(database)) === (await chain.height()))
  from -= 3
  await agreed()
})

test('a reorganisation while no replica runs is found at the next start', async () => {
  await start()
  await settleInBlocks(4)
  await agreed()
  await services.stop()
  await chain.reorg(3, [await chain.authorize(6, 1n)])
  await chain.mine(DEPTH * 8)
  services = await startIndexer(database, chain, { finality: 'tags', finalityDepth: DEPTH })
  await agreed()
  expect((await published(database)).reverted).toHaveLength(3)
})

test.each([
  ['beyond the finality depth', 'tags', DEPTH + 1],
  ['of one block where finality is instant', 'instant', 1],
] as const)('a reorganisation %s visibly halts the chain’s job and deletes nothing', async (_what, finality, depth) => {
  await start(finality === 'instant' ? { finality, finalityDepth: 0 } : {})
  await settleInBlocks(DEPTH + 2)
  await agreed()
  const [before, cursor] = [await recorded(database), await cursorOf(database)]
  await chain.reorg(depth, [await chain.authorize(6, 1n)])
  await until('it halts', async () => (await metric(services, 'callboard_indexer_halted')) === 1)
  await settleInBlocks(2)
  expect(await recorded(database)).toEqual(before)
  expect(await cursorOf(database)).toBe(cursor)
  expect((await published(database)).reverted).toEqual([])
  expect((await fetch(`http://127.0.0.1:${services.adminPort}/readyz`)).status).toBe(200)
})

test('a node whose head fell behind is waited for, not followed backwards', async () => {
  await start()
  await settleInBlocks(4)
  await agreed()
  const before = await recorded(database)
  await chain.rpc('anvil_rollback', 2)
  await expect(until('it moves back', async () => (await cursorOf(database)) !== from + 3, 500)).rejects.toThrow()
  expect(await recorded(database)).toEqual(before)
  await settleInBlocks(1)
  await chain.mine(2)
  await agreed()
  expect((await published(database)).reverted).toHaveLength(2)
})
