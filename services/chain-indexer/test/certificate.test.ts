import { type TestDatabase, type TestServices, testDatabase, until } from '@callboard/testkit'
import { type Asked, type RpcProxy, rpcProxy } from '@callboard/testkit/servers'
import { evmNetwork } from '@callboard/values'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { certify, checked, type IndexerContext, readCertificate } from '../src/index.ts'
import { openTestChain, type TestChain } from './chain.ts'
import { cursorOf, startIndexer } from './indexer.ts'

let chain: TestChain
let database: TestDatabase
let proxy: RpcProxy
let services: TestServices
beforeAll(async () => {
  chain = await openTestChain()
})
afterAll(() => chain.devnet.stop())
beforeEach(async () => {
  database = await testDatabase(inject('postgresUrl'))
  proxy = await rpcProxy(chain.devnet.rpcUrl)
})
afterEach(async () => {
  await services.stop()
  await proxy.close()
  await database.drop()
})

const network = () => evmNetwork(chain.devnet.chainId)
const certified = (from: number, to: number) =>
  certify(services.contexts.get('chain-indexer') as IndexerContext, network(), from, to)

/** Creates history and tip, both with payments; resolves when everything is read. */
async function readAll(from: number, finalityDepth?: number): Promise<number> {
  services = await startIndexer(database, chain, {
    ...{ urls: [proxy.url], from },
    ...(finalityDepth === undefined ? {} : { finality: 'tags', finalityDepth }),
  })
  const head = await chain.height()
  await until('all is read', async () => (await cursorOf(database)) === head)
  return head
}

async function blocks(count: number): Promise<number> {
  const from = (await chain.height()) + 1
  await chain.settle(1, 10n)
  await chain.mine(count)
  await chain.settle(2, 10n)
  return from
}

const isHeader = ({ method }: Asked) => method === 'eth_getBlockByNumber'

test('every block of history and of the tip is certified, naming the endpoint without its key', async () => {
  const from = await blocks(80)
  await readAll(from)
  await chain.mine(2)
  const head = await chain.height()
  await until('the tip is read', async () => (await cursorOf(database)) === head)
  const certificate = await certified(from, head)
  const finding = checked(readCertificate(JSON.stringify(certificate)))
  expect(finding.holds && finding.blocks.length).toBe(head - from + 1)
  expect(new Set(certificate.reads.map(({ how }) => how)).size).toBe(2)
  const block = (await chain.rpc('eth_getBlockByNumber', `0x${(from + 40).toString(16)}`, false)) as {
    hash: string
    parentHash: string
  }
  expect(finding.holds && finding.blocks[40]).toMatchObject({ hash: block.hash, parentHash: block.parentHash })
  expect(certificate.reads[0]?.endpoint).toBe(`1:${new URL(proxy.url).host}`)
})

test('a node that later shows other blocks cannot be certified', async () => {
  const from = await blocks(80)
  const head = await readAll(from)
  proxy.lie = {
    result: (asked, result) =>
      isHeader(asked) && result ? { ...(result as object), parentHash: `0x${'ab'.repeat(32)}` } : result,
  }
  await expect(certified(from, head)).rejects.toThrow(/does not follow/)
})

test('a node that skips a block cannot be certified', async () => {
  const from = await blocks(80)
  const head = await readAll(from)
  proxy.lie = { result: (asked, result) => (isHeader(asked) ? null : result) }
  await expect(certified(from, head)).rejects.toThrow(/not told|no endpoint/)
})

test('a deleted read is noticed', async () => {
  const from = await blocks(3)
  await readAll(from, 50)
  await chain.mine(3)
  const head = await chain.height()
  await until('the tip is read', async () => (await cursorOf(database)) === head)
  await chain.mine(1)
  await until('one more is read', async () => (await cursorOf(database)) === head + 1)
  expect((await certified(from, head + 1)).reads.length).toBeGreaterThan(2)
  await database.query(
    'delete from chain_indexer.block_read where place = (select max(place) - 1 from chain_indexer.block_read)',
  )
  await expect(certified(from, head + 1)).rejects.toThrow(/does not follow read/)
})

test('a reorganization is certified as the chain that remains', async () => {
  const from = await blocks(3)
  await readAll(from, 50)
  await chain.mine(3)
  await until('the tip is read', async () => (await cursorOf(database)) === (await chain.height()))
  await chain.reorg(2)
  await chain.mine(1)
  const head = await chain.height()
  await until('the branch is read', async () => (await cursorOf(database)) === head)
  const finding = checked(await certified(from, head))
  const standing = (await chain.rpc('eth_getBlockByNumber', `0x${(head - 1).toString(16)}`, false)) as { hash: string }
  expect(finding.holds && finding.blocks.at(-2)?.hash).toBe(standing.hash)
})
