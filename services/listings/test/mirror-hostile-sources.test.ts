import { listings as operations } from '@callboard/contract'
import { until, wallet } from '@callboard/testkit'
import { DAY_MS, HOUR_MS } from '@callboard/values'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rowsOf } from './mirror-rows.ts'
import { addSource, failing, imported, json, page, type SourceServer, sourceOf, sourceServer } from './source-server.ts'
import { openStage, type Stage, snapshots } from './stage.ts'

const PAYEE = wallet(5).address
let stage: Stage
const servers: SourceServer[] = []
beforeAll(async () => {
  stage = await openStage({
    ...{ MIRROR_PAGE_PAUSE_MS: '0', PROBE_MIRROR_PAUSE_MS: '0', PROBE_TIMEOUT_MS: '1500' },
    ...{ MIRROR_PER_SITE: '150', MIRROR_PER_SOURCE: '200' },
  })
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

function paid(path: string): string {
  stage.provider.set(path, { payTo: PAYEE })
  return stage.provider.url(path)
}

const kept = async () => (await stage.database.query(`select slug from listings.mirrored`)).length

test('a source that repeats the same page is abandoned, and nothing that it named is lost', async () => {
  const url = paid('/looped')
  const { origin, asked } = await serve((_req, res) =>
    json(res, { items: [{ resource: url }], pagination: { total: 1_000_000_000 } }),
  )
  const source = await failing(stage, 'loop', 'facilitator', origin)
  expect(source).toMatchObject({ problem: expect.stringContaining('again and again'), resources: 1 })
  expect(asked.length).toBeLessThan(30)
})

test('10,000 entries of one host get no more places than its site has', async () => {
  const items = Array.from({ length: 10_000 }, (_, at) => ({ resource: `https://h${at}.flood.example/x` }))
  const { origin } = await serve((_req, res, url) => json(res, page(url, items)))
  const source = await imported(stage, 'flood', 'facilitator', origin)
  expect(source).toMatchObject({ resources: 150, notTaken: { site_full: 9_850 } })
})

test('one source gets no more places than the limit per source, however many hosts it invents', async () => {
  const items = Array.from({ length: 500 }, (_, at) => ({ resource: `https://made-up-${at}.example/x` }))
  const { origin } = await serve((_req, res, url) => json(res, page(url, items)))
  const source = await imported(stage, 'wide', 'facilitator', origin)
  expect(source).toMatchObject({ resources: 200, notTaken: { source_full: 300 } })
})

test('a source that names other resources every time gets no more places than one that names the same', async () => {
  let round = 1
  const { origin } = await serve((_req, res, url) => {
    const items = Array.from({ length: 200 }, (_, at) => ({ resource: `https://round-${round}-${at}.example/x` }))
    json(res, page(url, items))
  })
  await imported(stage, 'shifty', 'facilitator', origin)
  const before = await kept()
  for (round = 2; round <= 4; round += 1) {
    const { lastGoodAt } = await sourceOf(stage, 'shifty')
    stage.clock.advance(HOUR_MS)
    await stage.services.call(operations.sources, { action: 'run', name: 'shifty' })
    await until(`round ${round} is imported`, async () => (await sourceOf(stage, 'shifty')).lastGoodAt !== lastGoodAt)
  }
  expect(await sourceOf(stage, 'shifty')).toMatchObject({ resources: 0, notTaken: { source_full: 200 } })
  expect(await kept()).toBe(before)
})

test('an endless answer is cut at the cap, and the source is tried again later', async () => {
  const { origin } = await serve((_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json' })
    const chunk = Buffer.alloc(64 * 1024, 'x')
    const pour = () => {
      while (!res.destroyed && res.write(chunk));
      res.once('drain', pour)
    }
    pour()
  })
  const before = process.memoryUsage().rss
  const source = await failing(stage, 'endless', 'openapi', origin)
  expect(source.problem).toMatch(/larger than this service reads/)
  expect(Date.parse(source.dueAt)).toBeGreaterThan(stage.clock.now())
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024)
})

test('a page that is too large is requested in smaller parts, and only an entry that is too large is left out', async () => {
  const items = [
    ...Array.from({ length: 40 }, (_, at) => ({ resource: `https://parts.example/${at}`, note: 'x'.repeat(20_000) })),
    { resource: 'https://parts.example/huge', note: 'x'.repeat(1_000_000) },
    { resource: 'https://parts.example/last' },
  ]
  const { origin } = await serve((_req, res, url) => json(res, page(url, items)))
  const source = await imported(stage, 'parts', 'facilitator', origin)
  expect(source).toMatchObject({ resources: 41, notTaken: { too_large: 1 } })
})

test.each([
  ['a web page', '<!doctype html><title>Soon</title>', 'not JSON'],
  ['a list', '[]', 'not a page of resources'],
  ['items that are none', '{"items":{"length":5}}', 'not a page of resources'],
  ['nesting without end', `{"items":[${'['.repeat(50_000)}`, 'not JSON'],
])('a source that gives %s fails with that reason', async (what, body, problem) => {
  const { origin } = await serve((_req, res) => res.writeHead(200).end(body))
  const source = await failing(stage, what.replaceAll(' ', '-'), 'facilitator', origin)
  expect(source.problem).toContain(problem)
})

test('fields that are not text, too long or misleading are cleaned, and the rest of the page is taken', async () => {
  const items = [
    { resource: paid('/named'), serviceName: `${'x'.repeat(1_000_000 / 4)}`, description: { a: 1 } },
    { resource: paid('/marked'), serviceName: '\u202eevil\u0000<b>', tags: 'ai', metadata: ['x'] },
    {
      resource: paid('/deep'),
      extensions: { bazaar: { info: { input: { type: 'http', method: 'GET' } }, schema: nested(300) } },
    },
    { resource: paid('/referring'), extensions: { bazaar: referring('http://169.254.169.254/latest/meta-data') } },
    { ['__proto__']: { polluted: true }, resource: paid('/proto') },
    { resource: { href: 1 } },
    null,
  ]
  const { origin } = await serve((_req, res, url) => json(res, page(url, items)))
  const source = await imported(stage, 'misleading', 'facilitator', origin)
  expect(source).toMatchObject({ resources: 5, notTaken: { url: 2 } })
  const shown = async (path: string) => (await rowsOf(stage, stage.provider.url(path)))[0]
  expect(await shown('/named')).toMatchObject({ claim: { title: 'x'.repeat(80), description: '' } })
  expect(await shown('/marked')).toMatchObject({ claim: { title: 'evil <b>', category: 'ai' } })
  expect((await shown('/referring'))?.claim).not.toHaveProperty('inputSchema')
  expect((await shown('/deep'))?.claim).not.toHaveProperty('inputSchema')
  expect({}).not.toHaveProperty('polluted')
  const [snapshot] = await snapshots(stage, (await shown('/marked'))?.slug ?? '')
  expect(snapshot).toMatchObject({ name: 'evil <b>', verification: 'none', group: 'external' })
})

const nested = (depth: number): unknown => (depth === 0 ? {} : { properties: { input: nested(depth - 1) } })
const referring = ($ref: string) => ({
  info: { input: { type: 'http', method: 'POST' } },
  schema: { properties: { input: { properties: { body: { type: 'object', properties: { a: { $ref } } } } } } },
})

test('a source that changes its order between pages loses nothing that it still names', async () => {
  const items = Array.from({ length: 120 }, (_, at) => ({ resource: paid(`/order/${at}`) }))
  let asked = 0
  const { origin } = await serve((_req, res, url) => {
    asked += 1
    json(res, page(url, asked % 2 === 0 ? items.toReversed() : items))
  })
  await imported(stage, 'restless', 'facilitator', origin)
  stage.clock.advance(7 * HOUR_MS)
  await until('it is imported again', () => asked >= 4)
  const rows = await rowsOf(stage, stage.provider.url('/order/0'))
  expect(rows).toHaveLength(1)
})

test('a failing source affects no other, and may ask to wait as long as it likes, up to a day', async () => {
  const good = await serve((_req, res, url) => json(res, page(url, [{ resource: paid('/beside') }])))
  const bad = await serve((_req, res) => res.writeHead(503, { 'retry-after': '99999999' }).end())
  const hung = await serve(() => {})
  await addSource(stage, 'hung', 'facilitator', hung.origin)
  const source = await failing(stage, 'bad', 'facilitator', bad.origin)
  expect(source).toMatchObject({ problem: expect.stringContaining('503'), lastGoodAt: null })
  expect(Date.parse(source.dueAt) - stage.clock.now()).toBe(DAY_MS)
  expect(await imported(stage, 'good', 'facilitator', good.origin)).toMatchObject({ failures: 0, resources: 1 })
  await until('the one that hangs is left', async () => (await sourceOf(stage, 'hung')).failures === 1)
})

test('what robots.txt disallows is not read, neither a source nor an endpoint', async () => {
  const rules = 'User-agent: CallboardProber\nDisallow: /discovery\nDisallow: /paid\n'
  const { origin, asked } = await serve((_req, res) => json(res, {}), rules)
  const source = await failing(stage, 'shy', 'facilitator', `${origin}/discovery/resources`)
  expect(source.problem).toContain('robots.txt')
  const naming = await serve((_req, res, url) => json(res, page(url, [{ resource: `${origin}/paid` }])))
  await imported(stage, 'naming', 'facilitator', naming.origin)
  await until('it is known why', async () => (await rowsOf(stage, `${origin}/paid`))[0]?.state === 'unpayable')
  expect((await rowsOf(stage, `${origin}/paid`))[0]?.reason).toContain('robots.txt')
  expect(asked).toEqual([])
})

test('addresses that are not public receive no request, and nothing is published about them', async () => {
  const before = await kept()
  const items = ['http://169.254.169.254/latest', 'http://10.0.0.1/x', 'http://[::1]:1/x'].map((resource) => ({
    resource,
  }))
  const { origin } = await serve((_req, res, url) => json(res, page(url, items)))
  await imported(stage, 'inward', 'facilitator', origin)
  expect(await kept()).toBe(before + 3)
  await until(
    'each was looked at',
    async () => (await rowsOf(stage, 'http://169.254.169.254/latest'))[0]?.state === 'unpayable',
  )
  const redirected = await serve((_req, res) => res.writeHead(302, { location: 'http://169.254.169.254/' }).end())
  expect((await failing(stage, 'redirects', 'facilitator', redirected.origin)).problem).toContain('302')
})
