import { type TestDatabase, type TestServices, testDatabase, until } from '@callboard/testkit'
import { type RpcProxy, rpcProxy } from '@callboard/testkit/servers'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { openTestChain, type TestChain } from './chain.ts'
import { believed, cursorOf, metric, recorded, startIndexer } from './indexer.ts'

let chain: TestChain
let database: TestDatabase
let from: number
const running: TestServices[] = []
const proxies: RpcProxy[] = []

beforeAll(async () => {
  chain = await openTestChain()
})
afterAll(async () => {
  await chain.devnet.stop()
})
beforeEach(async () => {
  database = await testDatabase(inject('postgresUrl'))
  from = (await chain.height()) + 1
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((services) => services.stop()))
  await Promise.all(proxies.splice(0).map((proxy) => proxy.close()))
  await database.drop()
})

/** A replica whose calls to the node are recorded. */
async function replica(): Promise<{ services: TestServices; proxy: RpcProxy }> {
  const proxy = await rpcProxy(chain.devnet.rpcUrl)
  const services = await startIndexer(database, chain, { urls: [proxy.url], from })
  proxies.push(proxy)
  running.push(services)
  return { services, proxy }
}

const allObservedOnce = () =>
  until('rows, events and the chain agree', async () => {
    const truth = (await chain.truth(from)).join()
    const isAtHead = (await cursorOf(database)) === (await chain.height())
    return isAtHead && (await recorded(database)).join() === truth && (await believed(database)).join() === truth
  })

const token = async () => {
  const [row] = await database.query<{ token: string }>('select token from chain_indexer.leadership')
  return Number(row?.token)
}

/** Ends the session that holds the leadership lock, as a lost connection would. */
const cutLeader = () =>
  database.query(
    `select pg_terminate_backend(pid) from pg_locks
     where locktype = 'advisory' and classid::bigint = x'63616c6c'::bigint and granted and pid <> pg_backend_pid()
       and database = (select oid from pg_database where datname = current_database())`,
  )

test('one of two replicas leads, and when it stops, the other takes over within seconds without duplicates', async () => {
  const first = await replica()
  await chain.settle(1, 1n)
  await allObservedOnce()
  const second = await replica()
  await chain.settle(2, 2n)
  await allObservedOnce()
  expect(second.proxy.asked).toEqual([])
  expect(await metric(second.services, 'callboard_indexer_cursor_block')).toBeUndefined()

  await first.services.stop()
  running.splice(running.indexOf(first.services), 1)
  await chain.settle(3, 3n)
  await until('the other one has taken over', async () => (await recorded(database)).length === 3, 3_000)
  await allObservedOnce()
  expect(await token()).toBe(2)
})

test('a leader that loses its connection to Postgres is replaced, without duplicates', async () => {
  await replica()
  await chain.settle(1, 1n)
  await allObservedOnce()
  await replica()
  const before = await token()
  for (let round = 0; round < 3; round++) {
    await cutLeader()
    await chain.settle(2, BigInt(round + 1))
    await until('there is a new term', async () => (await token()) > before + round)
    await allObservedOnce()
  }
})

test('a write of an old term is refused when the former leader commits', async () => {
  const { proxy } = await replica()
  await chain.settle(1, 1n)
  await allObservedOnce()
  const before = await token()
  const asked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  proxy.lie = {
    result: async ({ method }, result) => {
      if (method !== 'eth_getLogs') return result
      asked.resolve()
      await release.promise
      return result
    },
  }
  await chain.settle(2, 2n)
  await asked.promise
  await database.query('update chain_indexer.leadership set token = token + 1')
  const height = await cursorOf(database)
  // The step under way may finish; no other can begin.
  proxy.lie = {
    http: (calls, res) => calls.some(({ method }) => method === 'eth_getBlockByNumber') && res.destroy() !== undefined,
  }
  release.resolve()
  await until('it leads again, in a term of its own', async () => (await token()) === before + 2)
  expect(await cursorOf(database)).toBe(height)
  expect(await recorded(database)).toHaveLength(1)
  proxy.lie = {}
  await allObservedOnce()
})
