import { renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listings as operations } from '@callboard/contract'
import { livenessProber } from '@callboard/liveness-prober'
import { granted, startTestServices, until, wallet } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@callboard/values'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listings } from '../src/index.ts'
import { rowsOf } from './mirror-rows.ts'
import { addSource, imported, json, page, type SourceServer, sourceOf, sourceServer } from './source-server.ts'
import { devnetSetting, openStage, type Stage } from './stage.ts'

const PAYEE = wallet(5).address
/** Does not exist until a test writes it. */
const MIRROR_SOURCES = join(temporaryFolder('callboard-sources-'), 'sources.yaml')
let stage: Stage
const servers: SourceServer[] = []
beforeAll(async () => {
  stage = await openStage({ MIRROR_PAGE_PAUSE_MS: '0', PROBE_MIRROR_PAUSE_MS: '0', MIRROR_SOURCES })
})
afterAll(async () => {
  await stage?.close()
  await Promise.all(servers.map((server) => server.close()))
})

async function serve(...given: Parameters<typeof sourceServer>): Promise<SourceServer> {
  const server = await sourceServer(...given)
  servers.push(server)
  return server
}

/** A path of the provider that asks for payment. */
function paid(path: string): string {
  stage.provider.set(path, { payTo: PAYEE })
  return stage.provider.url(path)
}

const untilPayable = (url: string) =>
  until(`${url} is payable`, async () => (await rowsOf(stage, url))[0]?.state === 'payable', 60_000)

test('a file of sources is read again when another of the same time replaces it', async () => {
  const put = (name: string) => {
    writeFileSync(`${MIRROR_SOURCES}.new`, `sources:\n  - { name: ${name}, kind: openapi, url: http://127.0.0.1:9/ }\n`)
    utimesSync(`${MIRROR_SOURCES}.new`, new Date(0), new Date(0))
    renameSync(`${MIRROR_SOURCES}.new`, MIRROR_SOURCES)
  }
  const names = async () => {
    const listed = granted(await stage.services.call(operations.sources, { action: 'list' }))
    return listed.sources.map(({ name }) => name)
  }
  for (const name of ['of-file-1', 'of-file-2']) {
    put(name)
    await until(`${name} is the source`, async () => (await names()).join() === name)
  }
  writeFileSync(MIRROR_SOURCES, 'sources: []\n')
  await until('there is no source', async () => (await names()).length === 0)
})

describe('a facilitator', () => {
  test('is read page by page, with its filters, and what it names is payable once it was probed', async () => {
    const items = Array.from({ length: 250 }, (_, at) => ({ resource: paid(`/item/${at}`), type: 'http', accepts: [] }))
    const { origin, asked } = await serve((_req, res, url) => json(res, page(url, items)))
    const source = await imported(stage, 'paged', 'facilitator', `${origin}/discovery/resources`, {
      network: 'eip155:31337',
    })
    expect(source).toMatchObject({ resources: 250, failures: 0, problem: null, notTaken: {} })
    expect(asked).toEqual(
      [0, 100, 200].map((offset) => `/discovery/resources?network=eip155%3A31337&limit=100&offset=${offset}`),
    )
    await untilPayable(stage.provider.url('/item/249'))
  })

  test('items of version 1 and 2 name their method, and tools of MCP servers are left out', async () => {
    const bazaar = { info: { input: { type: 'http', method: 'POST', body: {} } } }
    const items = [
      { resource: paid('/of-two'), x402Version: 2, accepts: [], extensions: { bazaar }, serviceName: 'Two' },
      {
        ...{ resource: paid('/of-one'), type: 'http', x402Version: 1 },
        accepts: [{ outputSchema: { input: { type: 'http', method: 'POST' } }, description: 'One.' }],
      },
      { resource: paid('/tool'), type: 'mcp', accepts: [] },
      { resource: 'mailto:a@b.example' },
      'nothing',
    ]
    const { origin } = await serve((_req, res, url) => json(res, page(url, items)))
    const { notTaken } = await imported(stage, 'both', 'facilitator', origin)
    expect(notTaken).toEqual({ type: 1, url: 2 })
    expect(await rowsOf(stage, stage.provider.url('/of-two'))).toMatchObject([
      { method: 'POST', claim: { title: 'Two' } },
    ])
    expect(await rowsOf(stage, stage.provider.url('/of-one'))).toMatchObject([
      { method: 'POST', claim: { description: 'One.' } },
    ])
  })

  test('an item that it no longer names leaves after the configured time, unless it is named again', async () => {
    let items = [{ resource: paid('/stays') }, { resource: paid('/leaves') }]
    const { origin } = await serve((_req, res, url) => json(res, page(url, items)))
    await imported(stage, 'shrinks', 'facilitator', origin)
    await Promise.all(['/stays', '/leaves'].map((path) => untilPayable(stage.provider.url(path))))
    items = items.slice(0, 1)
    stage.clock.advance(7 * HOUR_MS)
    const unnamed = async () => (await rowsOf(stage, stage.provider.url('/leaves')))[0]?.unnamed_since
    await until('it is not named', async () => (await unnamed()) !== null)
    expect(await rowsOf(stage, stage.provider.url('/stays'))).toMatchObject([{ unnamed_since: null }])
    const [row] = await rowsOf(stage, stage.provider.url('/leaves'))
    expect(row).toMatchObject({ state: 'payable', sources: [] })
    stage.clock.advance(8 * DAY_MS)
    await until('it left', async () => {
      // A row locked by a probe is skipped, and checked again a minute later.
      stage.clock.advance(MINUTE_MS)
      return (await rowsOf(stage, stage.provider.url('/leaves'))).length === 0
    })
    expect(await rowsOf(stage, stage.provider.url('/stays'))).toHaveLength(1)
    items = [{ resource: stage.provider.url('/leaves') }]
    await stage.services.call(operations.sources, { action: 'run', name: 'shrinks' })
    await untilPayable(stage.provider.url('/leaves'))
    const [again] = await rowsOf(stage, stage.provider.url('/leaves'))
    expect(again?.slug).toBe(row?.slug)
    expect(Number(again?.version)).toBeGreaterThan(Number(row?.version))
    // Two probes and two runs of the job, in sequence.
  }, 90_000)
})

test('an OpenAPI document names its paid operations, only of its own origin', async () => {
  const paidOperation = { summary: 'Quote', 'x-payment-info': { price: { amount: '0.01' }, protocols: [{ x402: {} }] } }
  const { origin } = await serve((_req, res) =>
    json(res, {
      openapi: '3.1.0',
      paths: {
        '/quote/{symbol}': {
          parameters: [{ in: 'path', name: 'symbol', schema: { type: 'string', example: 'BTC' } }],
          get: paidOperation,
        },
        '/unknown/{id}': { get: paidOperation },
        '/free': { get: { summary: 'Free' } },
        '/delete': { delete: paidOperation },
      },
    }),
  )
  const { notTaken, resources } = await imported(stage, 'described', 'openapi', `${origin}/openapi.json`)
  expect({ notTaken, resources }).toEqual({ notTaken: { template: 1, method: 1 }, resources: 1 })
  expect(await rowsOf(stage, `${origin}/quote/BTC`)).toMatchObject([
    { claim: { title: 'Quote', offers: [{ scheme: 'x402', amount: '0.01' }] } },
  ])

  const elsewhere = await serve((_req, res) =>
    json(res, {
      openapi: '3.1.0',
      servers: [{ url: 'https://victim.example' }],
      paths: { '/a': { get: paidOperation } },
    }),
  )
  const other = await imported(stage, 'elsewhere', 'openapi', `${elsewhere.origin}/openapi.json`)
  expect(other).toMatchObject({ resources: 0, notTaken: { origin: 1 } })
})

test('/.well-known/x402 names resources, only of its own origin', async () => {
  const { origin } = await serve((_req, res, { host: _ }) =>
    json(res, {
      version: 1,
      resources: ['/a', 'POST /b', { url: '/c', method: 'GET', name: 'Sea' }, 'https://victim.example/'],
    }),
  )
  const source = await imported(stage, 'known', 'well-known', `${origin}/.well-known/x402`)
  expect(source).toMatchObject({ resources: 3, notTaken: { origin: 1 } })
  expect(await rowsOf(stage, `${origin}/b`)).toMatchObject([{ method: 'POST' }])
})

test('an API catalog leads to its OpenAPI documents, and an unreadable one does not end the import', async () => {
  const operation = { 'x-payment-info': { price: {}, protocols: [{ x402: {} }] } }
  const { origin } = await serve((_req, res, url) => {
    if (url.pathname === '/catalog') {
      const described = (name: string) => ({
        anchor: '/',
        'service-desc': [{ href: `/${name}`, type: 'application/json' }],
      })
      json(res, {
        linkset: [described('good'), described('broken'), { anchor: '/catalog', item: [{ href: '/item' }] }],
      })
    } else if (url.pathname === '/good') json(res, { openapi: '3.1.0', paths: { '/paid': { get: operation } } })
    else res.writeHead(500).end()
  })
  const source = await imported(stage, 'catalog', 'api-catalog', `${origin}/catalog`)
  expect(source).toMatchObject({ resources: 2, notTaken: { unread: 1 } })
  expect(await rowsOf(stage, `${origin}/paid`)).toHaveLength(1)
})

test('the operator lists, imports and removes sources, and what only a removed one named has no source left', async () => {
  const url = paid('/operated')
  const { origin, asked } = await serve((_req, res, at) => json(res, page(at, [{ resource: url }])))
  await imported(stage, 'operated', 'facilitator', origin)
  expect(asked).toHaveLength(1)
  await stage.services.call(operations.sources, { action: 'run', name: 'operated' })
  await until('it is imported again', () => asked.length === 2)
  await stage.services.call(operations.sources, { action: 'remove', name: 'operated' })
  expect(await rowsOf(stage, url)).toMatchObject([{ sources: [], claim_source: null, unnamed_since: expect.any(Date) }])
  expect(await stage.services.call(operations.sources, { action: 'run', name: 'operated' })).toMatchObject({
    refusal: 'not_found',
  })
})

test('two replicas never read one source twice, however many are due', async () => {
  const { database, clock, devnet } = stage
  const env = { DEVNET: devnetSetting(devnet), PROBE_ALLOW_LOOPBACK: 'true', MIRROR_PAGE_PAUSE_MS: '0' }
  const other = await startTestServices([livenessProber, listings], { databaseUrl: database.url, clock, env })
  const items = [1, 2, 3].map((at) => ({ resource: paid(`/once/${at}`) }))
  const offering = await Promise.all(
    Array.from({ length: 8 }, () => serve((_req, res, url) => json(res, page(url, items)))),
  )
  await Promise.all(offering.map(({ origin }, at) => addSource(stage, `once-${at}`, 'facilitator', origin)))
  for (const at of offering.keys()) {
    await until('it is imported', async () => (await sourceOf(stage, `once-${at}`)).lastGoodAt !== null)
  }
  expect(offering.map(({ asked }) => asked.length)).toEqual(Array(8).fill(1))
  expect(await database.query(`select 1 from listings.source where lease is not null`)).toEqual([])
  const [row] = await rowsOf(stage, stage.provider.url('/once/1'))
  expect(row?.sources).toHaveLength(8)
  await other.stop()
})
