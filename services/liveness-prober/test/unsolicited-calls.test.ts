import type { IncomingMessage, ServerResponse } from 'node:http'
import { livenessProber } from '@callboard/contract'
import { granted, until } from '@callboard/testkit'
import { describe, expect, test } from 'vitest'
import { paywall } from './offers.ts'
import { askForProbe, completed, publishChanged } from './sources.ts'
import { stage } from './stage.ts'

const PAUSE_MS = 500
/** How early a timer may fire. */
const EARLY_MS = 5

const prober = stage({ PROBE_MIRROR_PAUSE_MS: String(PAUSE_MS) })

/** A paywall that records when each of its resources was called. */
async function noted(robots?: string) {
  const calls: { readonly path: string; readonly at: number }[] = []
  const { origin } = await prober.serve((req, res) => {
    if (req.url === '/robots.txt') return void res.writeHead(robots === undefined ? 404 : 200).end(robots)
    calls.push({ path: req.url ?? '', at: performance.now() })
    paywall()(req, res)
  })
  const gaps = () => calls.slice(1).map(({ at }, before) => at - (calls[before]?.at ?? at))
  return { origin, calls, gaps }
}

const MIRRORED = { group: 'external' } as const

/** The first check of a listing that has one endpoint. */
const checkOf = (slug: string) =>
  until('it was checked once', async () => {
    const all = await completed(prober.database, slug)
    return all.length === 1 && all[0]
  })

/** The result of checking a mirrored resource behind a given robots.txt, and which other URLs were called. */
async function foundBehind(timeoutMs: number, robots: (req: IncomingMessage, res: ServerResponse) => unknown) {
  const services = await prober.startReplica({ PROBE_TIMEOUT_MS: String(timeoutMs) })
  const called: (string | undefined)[] = []
  const { origin } = await prober.serve((req, res) => {
    if (req.url?.startsWith('/robots.txt')) return void robots(req, res)
    called.push(req.url)
    paywall()(req, res)
  })
  await publishChanged(services, 'mirrored', [`${origin}/paid`], MIRRORED)
  const { finding } = await checkOf('mirrored')
  return { finding, called }
}

const origins = async () => (await prober.database.query('select from liveness_prober.origin')).length

test('the pause between two mirrored resources of an origin holds across visits, whichever replica makes them', async () => {
  const [first, second] = [await prober.startReplica(), await prober.startReplica()]
  const { origin, calls, gaps } = await noted()
  await publishChanged(first, 'one', [`${origin}/one`], MIRRORED)
  await until('the first visit is over', async () => (await completed(prober.database, 'one')).length === 1)
  await publishChanged(second, 'two', [`${origin}/two`], MIRRORED)
  await until('the second visit is over', async () => (await completed(prober.database, 'two')).length === 1)
  expect(calls.map(({ path }) => path)).toEqual(['/one', '/two'])
  expect(Math.min(...gaps())).toBeGreaterThanOrEqual(PAUSE_MS - EARLY_MS)
})

test('a Crawl-delay delays no requested probe, neither within a visit nor after it', async () => {
  const services = await prober.startReplica({ PROBE_WAIT_MS: '500' })
  const { origin, calls } = await noted('User-agent: *\nCrawl-delay: 2')
  await publishChanged(services, 'slow', [`${origin}/one`, `${origin}/two`], MIRRORED)
  for (const count of [1, 2]) {
    await until('the next was called', () => mirrored().length === count)
    expect(granted(await services.call(livenessProber.probe, { url: `${origin}/asked` }))).toMatchObject({
      state: 'ok_402',
    })
  }
  function mirrored() {
    return calls.filter(({ path }) => path !== '/asked')
  }
  const [one, two] = mirrored()
  expect((two?.at ?? 0) - (one?.at ?? 0)).toBeGreaterThanOrEqual(2_000 - EARLY_MS)
})

test('resources that payments name are called with the same pauses, and their origin leaves nothing behind', async () => {
  const services = await prober.startReplica()
  const { origin, calls, gaps } = await noted()
  await askForProbe(services, `${origin}/one`, 'one')
  await until('the first was called', () => calls.length === 1)
  await Promise.all(['two', 'three'].map((name) => askForProbe(services, `${origin}/${name}`, name)))
  await until('all of them were called', () => calls.length === 3)
  expect(Math.min(...gaps())).toBeGreaterThanOrEqual(PAUSE_MS - EARLY_MS)
  await until('the schedule has removed it', async () => (await origins()) === 0)
})

test('a resource that robots.txt forbids is not called, and waits for no pause', async () => {
  const services = await prober.startReplica({ PROBE_MIRROR_PAUSE_MS: '60000' })
  const { origin, calls } = await noted('User-agent: *\nDisallow: /')
  const paths = Array.from({ length: 30 }, (_, at) => `${origin}/${at}`)
  await publishChanged(services, 'forbidden', paths, MIRRORED)
  const found = await until('all of them have a word', async () => {
    const all = await completed(prober.database, 'forbidden')
    return all.length === paths.length && all
  })
  expect(new Set(found.map(({ finding }) => finding))).toEqual(new Set(['robots_disallowed']))
  expect(calls).toEqual([])
})

test.each([
  ['never where robots.txt forbids it', 'Disallow: /openapi.json', ['/paid']],
  ['once where robots.txt lets it be read', 'Disallow: /other', ['/paid', '/openapi.json']],
])('the OpenAPI document of a mirrored resource is requested %s', async (_where, rule, asked) => {
  const services = await prober.startReplica()
  const paths: (string | undefined)[] = []
  const { origin } = await prober.serve((req, res) => {
    if (req.url === '/robots.txt') return void res.end(`User-agent: *\n${rule}`)
    paths.push(req.url)
    res.writeHead(404).end()
  })
  await publishChanged(services, 'refused', [`${origin}/paid`], MIRRORED)
  await until('it was checked', async () => (await completed(prober.database, 'refused')).length === 1)
  expect(paths).toEqual(asked)
})

describe('a robots.txt that is a redirect', () => {
  /** The result when it redirects hop by hop, within its own origin or to another. */
  async function checked(leadsTo: (hop: number, own: string) => string) {
    let hops = 0
    const found = await foundBehind(2_000, ({ headers }, res) => {
      hops += 1
      res.writeHead(301, { location: leadsTo(hops, `http://${headers.host}`) }).end()
    })
    return { ...found, hops }
  }
  const text = (body: string) => prober.serve((_req, res) => void res.end(body))

  test('is followed to another origin, whose rules apply to the one that was asked', async () => {
    const { origin } = await text('User-agent: *\nDisallow: /paid')
    expect(await checked(() => `${origin}/elsewhere.txt`)).toEqual({
      finding: 'robots_disallowed',
      called: [],
      hops: 1,
    })
  })

  test('is followed five times (RFC 9309, 2.3.1.2)', async () => {
    const { origin } = await text('User-agent: *\nDisallow: /paid')
    const seen = await checked((hop, own) => (hop < 5 ? `${own}/robots.txt?${hop}` : `${origin}/robots.txt`))
    expect(seen).toEqual({ finding: 'robots_disallowed', called: [], hops: 5 })
  })

  test('counts as none if it redirects endlessly', async () => {
    const seen = await checked((hop) => `/robots.txt?${hop}`)
    expect(seen).toEqual({ finding: 'payable', called: ['/paid'], hops: 6 })
  })

  test('lets nothing be called if it leads to an origin that does not answer', async () => {
    const gone = await prober.serve(() => {})
    await gone.close()
    expect(await checked(() => `${gone.origin}/robots.txt`)).toMatchObject({
      finding: 'robots_unreachable',
      called: [],
    })
  })

  test('lets nothing be called if it leads to an address that is not probed', async () => {
    expect(await checked(() => 'http://10.0.0.1/robots.txt')).toMatchObject({
      finding: 'robots_unreachable',
      called: [],
    })
  })
})

describe('when robots.txt cannot be read', () => {
  const FAILING = {
    hangs: () => {},
    'ends without an answer': (_req: IncomingMessage, res: ServerResponse) => res.destroy(),
    'answers 503': (_req: IncomingMessage, res: ServerResponse) => res.writeHead(503).end(),
  }

  test.each(Object.entries(FAILING))('a mirrored resource is not called: robots.txt %s', async (_how, robots) => {
    expect(await foundBehind(500, robots)).toEqual({ finding: 'robots_unreachable', called: [] })
  })

  test('a provider’s own listing is probed, because that was requested and is no crawl', async () => {
    const services = await prober.startReplica({ PROBE_TIMEOUT_MS: '500' })
    const { origin } = await prober.serve((req, res) => {
      if (req.url !== '/robots.txt') paywall()(req, res)
    })
    await publishChanged(services, 'listed', [`${origin}/paid`])
    const found = await checkOf('listed')
    expect(found).toMatchObject({ state: 'ok_402' })
  })

  test('no document of a mirror source is read', async () => {
    const services = await prober.startReplica({ PROBE_TIMEOUT_MS: '500' })
    const called: (string | undefined)[] = []
    const { origin } = await prober.serve((req, res) => {
      if (req.url === '/robots.txt') return
      called.push(req.url)
      res.end('{}')
    })
    const read = await services.call(livenessProber.readSource, { url: `${origin}/resources`, maxBytes: 10_000 })
    expect(read).toMatchObject({ ok: false, state: 'robots', message: expect.stringContaining('cannot be read') })
    expect(called).toEqual([])
  })

  test('a resource of an origin that refuses connections has that finding', async () => {
    const services = await prober.startReplica()
    const { origin, close } = await prober.serve(paywall())
    await close()
    await publishChanged(services, 'gone', [`${origin}/paid`], MIRRORED)
    const found = await checkOf('gone')
    expect(found.finding).toBe('connection_refused')
  })
})
