import { startAnvil } from '@callboard/embedded'
import { type TestDatabase, type TestServices, testDatabase, until } from '@callboard/testkit'
import { type Asked, type RpcProxy, rpcProxy } from '@callboard/testkit/servers'
import { createTestClient, http } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { openTestChain, type TestChain } from './chain.ts'
import { believed, cursorOf, type IndexerOptions, metric, published, recorded, startIndexer } from './indexer.ts'

let chain: TestChain
let database: TestDatabase
let proxy: RpcProxy
const running: TestServices[] = []

beforeAll(async () => {
  chain = await openTestChain()
})
afterAll(async () => {
  await chain.devnet.stop()
})
beforeEach(async () => {
  database = await testDatabase(inject('postgresUrl'))
  proxy = await rpcProxy(chain.devnet.rpcUrl)
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((services) => services.stop()))
  await proxy.close()
  await database.drop()
})

async function start(options: IndexerOptions): Promise<TestServices> {
  const services = await startIndexer(database, chain, options)
  running.push(services)
  return services
}

/** Makes some payments, with quiet blocks between and after them. @returns the first of their blocks */
async function payments(): Promise<number> {
  const from = (await chain.height()) + 1
  for (let at = 0; at < 5; at++) {
    await chain.settle(1 + at, 10n)
    await chain.mine(12)
  }
  return from
}

/** Waits until every payment from here on is observed exactly once, and the cursor is at the head. */
const allObservedOnce = (from: number) =>
  until('rows, events and the chain agree', async () => {
    const truth = (await chain.truth(from)).join()
    const isAtHead = (await cursorOf(database)) === (await chain.height())
    return isAtHead && (await recorded(database)).join() === truth && (await believed(database)).join() === truth
  })

const faults = (services: TestServices) => metric(services, 'callboard_indexer_provider_errors_total')
const isLogs = ({ method }: Asked) => method === 'eth_getLogs'

describe('nothing is lost or doubled, with one endpoint', () => {
  test('that temporarily reports no logs', async () => {
    const from = await payments()
    proxy.lie = { result: (asked, result) => (isLogs(asked) ? [] : result) }
    const services = await start({ urls: [proxy.url], from })
    await until('the lie is noticed', async () => ((await faults(services)) ?? 0) >= 2)
    expect(await recorded(database)).toEqual([])
    proxy.lie = {}
    await allObservedOnce(from)
  })

  test('that temporarily reports no logs at the tip', async () => {
    const from = (await chain.height()) + 1
    const services = await start({ urls: [proxy.url], from })
    proxy.lie = { result: (asked, result) => (isLogs(asked) ? [] : result) }
    await chain.settle(1, 1n)
    await until('the lie is noticed', async () => ((await faults(services)) ?? 0) >= 1)
    expect(await recorded(database)).toEqual([])
    proxy.lie = {}
    await allObservedOnce(from)
  })

  test.each([
    ['429 with Retry-After', 429, { 'retry-after': '1' }, '{"jsonrpc":"2.0","error":{"code":429,"message":"slow"}}'],
    ['an HTML page with 200', 200, { 'content-type': 'text/html' }, '<html><body>Bad gateway</body></html>'],
    ['an HTML page with 502', 502, { 'content-type': 'text/html' }, '<html><body>Bad gateway</body></html>'],
    ['JSON of another kind', 200, { 'content-type': 'application/json' }, '{"hello":[1,2,3]}'],
    ['nothing', 200, {}, ''],
  ])('that answers %s every third time', async (_what, status, headers, body) => {
    const from = await payments()
    let count = 0
    proxy.lie = {
      http: (_asked, res) => {
        count++
        if (count % 3 !== 0) return false
        res.writeHead(status, headers).end(body)
        return true
      },
    }
    await start({ urls: [proxy.url], from })
    await allObservedOnce(from)
  })

  test('that asks not to be called for a time, and is not called', async () => {
    const from = await payments()
    proxy.lie = { http: (_asked, res) => res.writeHead(429, { 'retry-after': '3' }).end('slow down') === res }
    const services = await start({ urls: [proxy.url], from })
    await until('it rests', async () => (await faults(services)) === 1)
    const begun = performance.now()
    proxy.lie = {}
    const asked = proxy.asked.length
    await until('it is asked again', () => proxy.asked.length > asked)
    expect(performance.now() - begun).toBeGreaterThan(2_500)
    await allObservedOnce(from)
  })

  test('that cuts the connection every third time', async () => {
    const from = await payments()
    let count = 0
    proxy.lie = {
      http: (_asked, res) => {
        count++
        if (count % 3 === 0) res.destroy()
        return count % 3 === 0
      },
    }
    await start({ urls: [proxy.url], from })
    await allObservedOnce(from)
  })

  test('that accepts only small ranges, and says so in its own words', async () => {
    const from = await payments()
    proxy.lie = {
      refusal: (asked) => {
        const blocks = rangeOf(asked)
        return blocks !== undefined && blocks > 7
          ? 'You can make eth_getLogs requests with up to a 7 block range.'
          : undefined
      },
    }
    const services = await start({ urls: [proxy.url], from })
    await allObservedOnce(from)
    const [first, ...ranges] = proxy.asked.map(rangeOf).filter((blocks) => blocks !== undefined)
    expect(first).toBeGreaterThan(7)
    expect(Math.max(...ranges)).toBe(7)
    expect(await faults(services)).toBe(0)
  })

  test('that suggests wrong ranges', async () => {
    const from = await payments()
    proxy.lie = {
      refusal: (asked) =>
        (rangeOf(asked) ?? 0) > 3 ? 'block range too large. Try with this block range [0x5, 0x1]' : undefined,
    }
    await start({ urls: [proxy.url], from })
    await allObservedOnce(from)
  })

  test('that temporarily answers with an old block', async () => {
    const from = (await chain.height()) + 1
    await start({ urls: [proxy.url], from })
    await chain.settle(1, 1n)
    await allObservedOnce(from)
    const old = await chain.rpc('eth_getBlockByNumber', '0x3', false)
    proxy.lie = {
      result: ({ method, params }, result) =>
        method === 'eth_getBlockByNumber' && params[0] === 'latest' ? old : result,
    }
    await chain.settle(2, 2n)
    const seen = proxy.asked.length
    await until('it was asked again and again', () => proxy.asked.length > seen + 10)
    expect((await published(database)).reverted).toEqual([])
    expect(await recorded(database)).toHaveLength(1)
    proxy.lie = {}
    await allObservedOnce(from)
  })

  test.each([1, 5, 1_000])('that always reports a head of %i blocks that it does not have', async (more) => {
    const fake = `0x${'ab'.repeat(32)}`
    proxy.lie = {
      result: ({ method, params }, result) => {
        if (method !== 'eth_getBlockByNumber' || params[0] !== 'latest') return result
        const { number, ...head } = result as { number: string }
        return { ...head, number: `0x${(Number(number) + more).toString(16)}`, hash: fake, parentHash: fake }
      },
    }
    const from = await payments()
    await start({ urls: [proxy.url], from, finality: 'tags', finalityDepth: 8 })
    await allObservedOnce(from)
    await chain.settle(6, 6n)
    await allObservedOnce(from)
    await chain.reorg(1, [await chain.authorize(7, 7n)])
    await chain.mine(2)
    await allObservedOnce(from)
  })

  test('that misnumbers its blocks, and is not believed', async () => {
    const from = (await chain.height()) + 1
    const services = await start({ urls: [proxy.url], from })
    await chain.settle(1, 1n)
    await allObservedOnce(from)
    const old = await chain.rpc('eth_getBlockByNumber', '0x3', false)
    proxy.lie = {
      result: ({ method, params }, result) =>
        method === 'eth_getBlockByNumber' && params[0] !== 'latest' ? old : result,
    }
    await until('it is noticed', async () => ((await faults(services)) ?? 0) > 0)
    proxy.lie = {}
    await chain.settle(2, 2n)
    await allObservedOnce(from)
    expect((await published(database)).reverted).toEqual([])
  })

  test('that puts no timestamp into its logs, so that the block’s own is read', async () => {
    const from = await payments()
    proxy.lie = {
      result: (asked, result) =>
        isLogs(asked) ? (result as object[]).map((log) => ({ ...log, blockTimestamp: undefined })) : result,
    }
    await start({ urls: [proxy.url], from })
    await allObservedOnce(from)
    const [first] = (await published(database)).observed
    const seconds = await chain.timeOf(Number(first?.blockNumber))
    expect(first?.observedAt).toBe(new Date(Number(seconds) * 1000).toISOString())
  })

  test('that no longer keeps old transactions, so that only the facilitator is unknown', async () => {
    const from = await payments()
    proxy.lie = { result: ({ method }, result) => (method === 'eth_getTransactionByHash' ? null : result) }
    await start({ urls: [proxy.url], from })
    await allObservedOnce(from)
    expect((await published(database)).observed.map(({ facilitator }) => facilitator)).toEqual(Array(5).fill(null))
  })
})

describe('with two endpoints', () => {
  test('the second takes over when the first is unavailable', async () => {
    const from = (await chain.height()) + 1
    await start({ urls: [proxy.url, chain.devnet.rpcUrl], from })
    await chain.settle(1, 1n)
    await allObservedOnce(from)
    proxy.lie = { http: (_asked, res) => res.destroy() !== undefined }
    await chain.settle(2, 2n)
    await allObservedOnce(from)
  })

  test('the second takes over when the first hides logs', async () => {
    const from = await payments()
    proxy.lie = { result: (asked, result) => (isLogs(asked) ? [] : result) }
    await start({ urls: [proxy.url, chain.devnet.rpcUrl], from })
    await allObservedOnce(from)
  })

  test.each([
    ['times that are none', 'eth_getBlockByNumber', { timestamp: '0xffffffffffff' }],
    ['logs at places that no block has', 'eth_getLogs', { logIndex: '0xffffffff' }],
    ['times of logs that are none', 'eth_getLogs', { blockTimestamp: '0xffffffffffff' }],
    ['times of logs in milliseconds', 'eth_getLogs', { blockTimestamp: '0x18bcfe56800' }],
  ])('the second takes over when the first reports %s', async (_what, lied, members) => {
    const from = await payments()
    const changed = (result: unknown): unknown =>
      Array.isArray(result) ? result.map(changed) : result && { ...result, ...members }
    proxy.lie = { result: ({ method }, result) => (method === lied ? changed(result) : result) }
    await start({ urls: [proxy.url, chain.devnet.rpcUrl], from })
    await allObservedOnce(from)
    expect((await published(database)).observed.every(({ observedAt }) => observedAt.startsWith('20'))).toBe(true)
  })

  test.each([
    ['stuck', async () => {}],
    ['stuck on a block that left the chain', async () => chain.reorg(1, [await chain.authorize(5, 5n)])],
  ])('the second takes over when the first is %s', async (_what, meanwhile) => {
    const from = (await chain.height()) + 1
    await start({ urls: [proxy.url, chain.devnet.rpcUrl], from, finality: 'tags', finalityDepth: 8 })
    await chain.settle(1, 1n)
    await allObservedOnce(from)
    const head = await chain.rpc('eth_getBlockByNumber', 'latest', false)
    proxy.lie = { result: ({ method }, result) => (method === 'eth_getBlockByNumber' ? head : result) }
    await meanwhile()
    await chain.settle(2, 2n)
    await allObservedOnce(from)
  })

  test('a fork of the second halts nothing while the first is unavailable', async () => {
    const from = (await chain.height()) + 1
    const second = await rpcProxy(chain.devnet.rpcUrl)
    try {
      const urls = [proxy.url, second.url]
      const services = await start({ urls, from, finality: 'tags', finalityDepth: 8 })
      await chain.settle(1, 1n)
      await chain.mine(20)
      await allObservedOnce(from)
      const forked = (hash: string) => `${hash.slice(0, -1)}${hash.endsWith('0') ? 1 : 0}`
      second.lie = {
        result: ({ method }, result) => {
          if (method !== 'eth_getBlockByNumber' || result === null) return result
          const block = result as { hash: string; parentHash: string }
          return { ...block, hash: forked(block.hash), parentHash: forked(block.parentHash) }
        },
      }
      proxy.lie = { http: (_asked, res) => res.destroy() !== undefined }
      const before = second.asked.length
      await chain.settle(2, 2n)
      await until('the second is asked again and again', async () => second.asked.length > before + 100)
      expect(await metric(services, 'callboard_indexer_halted')).toBe(0)
      proxy.lie = {}
      await allObservedOnce(from)
      expect((await published(database)).reverted).toEqual([])
    } finally {
      await second.close()
    }
  })

  test('one on another chain is skipped, not followed', async () => {
    const from = (await chain.height()) + 1
    proxy.lie = {
      result: ({ method }, result) =>
        method === 'eth_getBlockByNumber' ? { ...(result as object), hash: `0x${'ab'.repeat(32)}` } : result,
    }
    const services = await start({ urls: [chain.devnet.rpcUrl, proxy.url], from })
    await chain.settle(1, 1n)
    await allObservedOnce(from)
    await services.stop()
    running.splice(0)
    const second = await start({ urls: [proxy.url, chain.devnet.rpcUrl], from })
    await chain.settle(2, 2n)
    await allObservedOnce(from)
    expect((await published(database)).reverted).toEqual([])
    expect(await metric(second, 'callboard_indexer_halted')).toBe(0)
  })
})

/** How many blocks an eth_getLogs call covers; undefined for other calls and for those by block hash. */
function rangeOf({ method, params }: Asked): number | undefined {
  const [filter] = params as { fromBlock?: string; toBlock?: string }[]
  if (method !== 'eth_getLogs' || !filter?.fromBlock || !filter.toBlock) return undefined
  return Number(filter.toBlock) - Number(filter.fromBlock) + 1
}

describe('an endpoint of another chain', () => {
  /** Opens a chain with another chain id, longer than ours. */
  const openForeign = async () => {
    const foreign = await startAnvil({ chainId: 4_242 })
    await createTestClient({ mode: 'anvil', transport: http(foreign.rpcUrl) }).mine({ blocks: 300 })
    return foreign
  }
  const reverted = async () => (await published(database)).reverted
  const readyz = async ({ adminPort }: TestServices) => {
    const answer = await fetch(`http://127.0.0.1:${adminPort}/readyz`)
    return { status: answer.status, text: await answer.text() }
  }

  test('at failover: nothing is reverted, /readyz says so, and indexing continues when the first returns', async () => {
    const foreign = await openForeign()
    try {
      const from = await payments()
      const services = await start({ urls: [proxy.url, foreign.rpcUrl], from, finality: 'tags', finalityDepth: 64 })
      await allObservedOnce(from)
      await until('the second is known before it is needed', async () => (await readyz(services)).text.includes('4242'))
      expect((await readyz(services)).status).toBe(200)
      const cursor = await cursorOf(database)

      proxy.lie = { http: (_asked, res) => res.destroy() === res }
      const lost = (await faults(services)) ?? 0
      await until('both were tried', async () => ((await faults(services)) ?? 0) > lost + 3)
      expect(await readyz(services)).toMatchObject({ status: 503 })
      expect((await readyz(services)).text).toMatch(
        /RPC endpoint 2:127\.0\.0\.1:\d+ of eip155:8453 is of chain id 4242/,
      )
      expect(await cursorOf(database)).toBe(cursor)
      expect(await reverted()).toEqual([])
      expect(await metric(services, 'callboard_indexer_reorgs_total')).toBe(0)
      expect(await metric(services, 'callboard_indexer_halted')).toBe(0)
      expect(await metric(services, 'callboard_rpc_endpoint_foreign')).toBe(1)

      proxy.lie = {}
      await chain.settle(1, 10n)
      await allObservedOnce(from)
      expect((await readyz(services)).status).toBe(200)
    } finally {
      await foreign.stop()
    }
  })

  test('that replaces ours without a failed request: its fork is not believed', async () => {
    const from = await payments()
    const services = await start({ urls: [proxy.url], from, finality: 'tags', finalityDepth: 64 })
    await allObservedOnce(from)
    const cursor = await cursorOf(database)
    const wrongHash = `0x${'ab'.repeat(32)}`
    const forked = (result: unknown) =>
      typeof result === 'object' && result !== null && 'hash' in result ? { ...result, hash: wrongHash } : result
    proxy.lie = { result: ({ method }, result) => (method === 'eth_chainId' ? '0x1092' : forked(result)) }
    await until('it is left out', async () => (await metric(services, 'callboard_rpc_endpoint_foreign')) === 1)
    expect(await cursorOf(database)).toBe(cursor)
    expect(await reverted()).toEqual([])
    proxy.lie = {}
    await allObservedOnce(from)
  })
})
