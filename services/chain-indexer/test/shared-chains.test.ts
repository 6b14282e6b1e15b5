import { type Anvil, startAnvil } from '@callboard/embedded'
import { type TestDatabase, type TestServices, testDatabase, until } from '@callboard/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { openTestChain, type TestChain } from './chain.ts'
import { startIndexer } from './indexer.ts'

const BASE = 'eip155:8453'
const ARC = 'eip155:5042'

let chain: TestChain
let other: Anvil
let database: TestDatabase
const running: TestServices[] = []

beforeAll(async () => {
  ;[chain, other] = await Promise.all([openTestChain(), startAnvil({ chainId: 5042 })])
})
afterAll(() => Promise.all([chain.devnet.stop(), other.stop()]))
beforeEach(async () => {
  database = await testDatabase(inject('postgresUrl'))
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((services) => services.stop()))
  await database.drop()
})

async function replica(): Promise<TestServices> {
  const env = { RPC_URLS: JSON.stringify({ [ARC]: [other.rpcUrl] }) }
  const services = await startIndexer(database, chain, { env })
  running.push(services)
  return services
}

async function askOther(method: string, ...params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = await fetch(other.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return ((await answer.json()) as { readonly result: unknown }).result
}

/** The chains that a replica leads now. */
async function ledBy(services: TestServices): Promise<string[]> {
  const metric = await services.metrics.registry.getSingleMetric('callboard_indexer_leader')?.get()
  return (metric?.values ?? []).flatMap(({ labels, value }) => (value === 1 ? [String(labels.network)] : [])).sort()
}

const leads = (services: TestServices, ...networks: string[]) =>
  until(`it leads ${networks}`, async () => (await ledBy(services)).join() === networks.join())

const cursors = async () =>
  Object.fromEntries(
    (
      await database.query<{ network: string; block: string }>(
        'select network, block_number as block from chain_indexer.chain_cursor',
      )
    ).map(({ network, block }) => [network, Number(block)]),
  )

test('no replica starts whose chains would take every connection, so that nothing could be recorded', async () => {
  const env = { RPC_URLS: JSON.stringify({ [ARC]: [other.rpcUrl] }), DATABASE_POOL_SIZE: '3' }
  await expect(startIndexer(database, chain, { env })).rejects.toThrow(
    'DATABASE_POOL_SIZE: is 3, and leading 2 chains takes at least 4',
  )
})

test('a chain that is not followed any more is not shown as behind', async () => {
  const behind = async ({ adminPort }: TestServices) => {
    const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
    return [...text.matchAll(/^callboard_indexer_lag_seconds\{network="(.+)"\}/gm)].map(([, network]) => network).sort()
  }
  const both = await replica()
  await until('both are recorded', async () => (await behind(both)).join() === [ARC, BASE].join())
  await both.stop()
  const one = await startIndexer(database, chain)
  running.splice(0, 1, one)
  await leads(one, BASE)
  expect(await behind(one)).toEqual([BASE])
})

test('a replica that joins gets one of two chains, both continue, and a third stands by', async () => {
  const first = await replica()
  await leads(first, ARC, BASE)
  const second = await replica()
  await until('each leads one', async () => {
    const [one, two] = await Promise.all([ledBy(first), ledBy(second)])
    return one.length === 1 && two.length === 1 && one[0] !== two[0]
  })
  const third = await replica()
  await chain.mine(3)
  await askOther('anvil_mine', '0x3')
  await until('both chains are at their heads', async () => {
    const at = await cursors()
    return at[BASE] === (await chain.height()) && at[ARC] === Number(await askOther('eth_blockNumber'))
  })
  expect(await ledBy(third)).toEqual([])
  expect(await Promise.all([ledBy(first), ledBy(second)])).toEqual([[expect.any(String)], [expect.any(String)]])
})

test('the chain of a replica that stops passes to the other one, which keeps leading its own', async () => {
  const first = await replica()
  await leads(first, ARC, BASE)
  const second = await replica()
  await until('each leads one', async () => (await ledBy(second)).length === 1)
  await first.stop()
  running.splice(running.indexOf(first), 1)
  await leads(second, ARC, BASE)
})
