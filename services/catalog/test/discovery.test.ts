import { createHmac } from 'node:crypto'
import { listingChanged, catalog as operations, probeCompleted } from '@callboard/contract'
import { type Caip2, DAY_MS, isoTime, MINUTE_MS } from '@callboard/values'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { LINK_SIGNING_KEY, NOW, startCatalog, type TestCatalog } from './support/catalog.ts'
import { ARC, address, BASE, mirrored, operation, probe, snapshot, USDC } from './support/facts.ts'

type Query = z.input<typeof operations.discovery.input>

let catalog: TestCatalog
beforeAll(async () => {
  catalog = await startCatalog()
})
afterAll(() => catalog.stop())
beforeEach(() => catalog.empty())

const list = async (...snapshots: ReturnType<typeof snapshot>[]) => {
  for (const one of snapshots) await catalog.deliver(listingChanged, one)
}
const page = (query: Query = {}) => catalog.ask(operations.discovery, query)
const found = async (query: Query = {}) => (await page(query)).items.map(({ ref }) => ref)
const on = (network: Caip2) => ({
  scheme: 'exact',
  network,
  asset: USDC,
  payTo: address(1),
  amount: '10000',
  checkedAt: isoTime(NOW),
})

describe('what is shown', () => {
  beforeEach(async () => {
    await list(
      snapshot('own', { group: 'svc', verification: 'none' }),
      snapshot('verified'),
      snapshot('requested', { verification: 'requested' }),
      snapshot('unreviewed', { verification: 'none' }),
      snapshot('partner', { group: 'partner' }),
      snapshot('new-partner', { group: 'partner', verification: 'none' }),
      mirrored('fresh'),
      mirrored('stale'),
    )
    await catalog.deliver(probeCompleted, probe('fresh'))
    await catalog.deliver(probeCompleted, probe('stale', { checkedAt: isoTime(NOW - 25 * 60 * MINUTE_MS) }))
  })

  test('by default: our own listings, verified ones, and the fresh mirror, group by group', async () => {
    expect(await found()).toEqual(['own', 'verified', 'partner', 'fresh'])
  })

  test('says on the first page how many more matches were not reviewed', async () => {
    const first = await page({ limit: '1' })
    expect(first.hiddenUnverified).toBe(3)
    expect((await page({ limit: '1', cursor: first.nextCursor ?? '' })).hiddenUnverified).toBe(0)
    expect((await page({ includeUnverified: 'true' })).hiddenUnverified).toBe(0)
    expect((await page({ q: 'nothing of this kind' })).hiddenUnverified).toBe(0)
  })

  test('includeUnverified adds listings that were not reviewed, and no stale mirror', async () => {
    const all = ['own', 'verified', 'requested', 'unreviewed', 'partner', 'new-partner', 'fresh']
    expect(await found({ includeUnverified: 'true' })).toEqual(all)
    expect(await found({ includeUnverified: 'false' })).toEqual(['own', 'verified', 'partner', 'fresh'])
  })

  test('kinds: a kind without entries is not named as unavailable', async () => {
    expect(await page({ kinds: ['service_offer', 'api'] })).toMatchObject({
      items: { length: 4 },
      unavailableKinds: [],
    })
    const requests = await page({ kinds: ['open_request', 'open_request'] })
    expect(requests).toMatchObject({ items: [], nextCursor: null, unavailableKinds: [] })
    expect((await page()).unavailableKinds).toEqual([])
  })

  test('the envelope names its protocol and its ranking', async () => {
    expect(await page()).toMatchObject({
      protocol: expect.stringMatching(/\/1$/),
      rankingVersion: 'marketplace-ranking-v1',
      nextCursor: null,
    })
  })

  test('limit: returns twenty rows by default, or as many as are asked for', async () => {
    for (let number = 0; number < 25; number += 1) await list(snapshot(`more-${number}`))
    expect(await found()).toHaveLength(20)
    expect(await found({ limit: '3' })).toHaveLength(3)
    expect(await found({ limit: '50' })).toHaveLength(29)
  })

  test.each([
    ['limit', { limit: '0' }],
    ['limit', { limit: '51' }],
    ['limit', { limit: 'many' }],
    ['kinds', { kinds: 'bazaar' }],
    ['q', { q: 'x'.repeat(201) }],
    ['network', { network: 'base' }],
    ['includeUnverified', { includeUnverified: 'yes' }],
    ['kinds[]', { 'kinds[]': 'api' }],
  ])('400: the schema refuses a bad %s', (_field, query) => {
    expect(operations.discovery.input.safeParse(query).success).toBe(false)
  })
})

describe('order', () => {
  test('relevance within a group: the exact name, then words of the name, then other text', async () => {
    await list(
      snapshot('text', { name: 'Oracle', description: 'Says the weather of tomorrow' }),
      snapshot('words', { name: 'The weather of today' }),
      snapshot('prefix', { name: 'Weathervane' }),
      snapshot('exact', { name: 'WEATHER ' }),
      snapshot('own', { name: 'Ours', group: 'svc', description: 'weather' }),
      snapshot('partner', { name: 'Weather', group: 'partner' }),
      snapshot('none', { name: 'Maps' }),
    )
    expect(await found({ q: 'weather' })).toEqual(['own', 'exact', 'words', 'prefix', 'text', 'partner'])
  })

  test('a match far below the best one is no result, and its group does not put it first', async () => {
    await list(
      snapshot('weak', { group: 'svc', name: 'Oracle', description: 'Says what anyone wants, about satellites too' }),
      snapshot('other', { name: 'Images', description: 'Of anything' }),
      snapshot('close', { name: 'Pictures', description: 'Satellite images of crops' }),
      mirrored('perfect', { name: 'Satellite images', description: 'Of crops and fields' }),
    )
    await catalog.deliver(probeCompleted, probe('perfect'))
    expect(await found({ q: 'satellite images of crops' })).toEqual(['close', 'perfect'])
    expect(await found({ q: 'satellites' })).toEqual(['weak', 'close', 'perfect'])
  })

  test('only shown matches set the best: hidden or filtered ones hide nothing', async () => {
    await list(
      snapshot('weak', { name: 'Oracle', description: 'About satellites' }),
      snapshot('perfect', { name: 'Satellite images of crops', verification: 'none' }),
    )
    const q = 'satellite images of crops'
    expect(await page({ q })).toMatchObject({ items: [{ ref: 'weak' }], hiddenUnverified: 1 })
    expect(await found({ q, includeUnverified: 'true' })).toEqual(['perfect', 'weak'])
  })

  test('what nobody reviewed hides nothing that is reviewed, however many words it has', async () => {
    const stuffed = { name: 'Satellite images of crops', description: 'Weather, maps, prices, anything' }
    await list(
      snapshot('reviewed', { name: 'Images', description: 'Of anything' }),
      mirrored('stuffed', stuffed),
      mirrored('weak', { name: 'Images', description: 'Of anything' }),
    )
    for (const slug of ['stuffed', 'weak']) await catalog.deliver(probeCompleted, probe(slug))
    const q = 'satellite images of crops'
    const { facets, nextCursor } = await page({ q, facets: 'true', limit: '1' })
    expect(facets?.total).toBe(2)
    expect(await found({ q })).toEqual(['stuffed', 'reviewed'])
    const next = await page({ q, facets: 'true', limit: '1', cursor: nextCursor ?? '' })
    expect(next).toMatchObject({ items: [{ ref: 'reviewed' }], nextCursor: null, facets: { total: 2 } })
  })

  test('trust within equal relevance: verification, uptime and conformance, before freshness', async () => {
    await list(snapshot('unknown'), snapshot('reliable'), snapshot('shaky'), snapshot('broken'))
    const week = (uptime7d: number) => ({ uptime7d, latencyP50Ms: 1, latencyP95Ms: 2, checks7d: 100 })
    await catalog.deliver(probeCompleted, probe('reliable', { checkedAt: isoTime(NOW - 600 * MINUTE_MS) }))
    await catalog.deliver(probeCompleted, probe('shaky', { liveness: week(0.8) }))
    await catalog.deliver(
      probeCompleted,
      probe('broken', {
        liveness: week(0.8),
        conformance: { declaredVersion: 2, versionConformant: false, offerTransport: 'body', issues: ['no_extra'] },
      }),
    )
    expect(await found()).toEqual(['reliable', 'shaky', 'broken', 'unknown'])
  })

  test('freshness within equal trust, in steps of a quarter of an hour, then what was listed first, whatever its slug', async () => {
    await list(snapshot('a'), snapshot('b'), snapshot('c'))
    await catalog.deliver(probeCompleted, probe('a', { checkedAt: isoTime(NOW - 60 * MINUTE_MS) }))
    await catalog.deliver(probeCompleted, probe('c', { checkedAt: isoTime(NOW - 10 * MINUTE_MS) }))
    await catalog.deliver(probeCompleted, probe('b', { checkedAt: isoTime(NOW - 5 * MINUTE_MS) }))
    expect(await found()).toEqual(['b', 'c', 'a'])
    await list(snapshot('c', { version: 2, listedAt: isoTime(NOW - 2 * DAY_MS) }))
    expect(await found()).toEqual(['c', 'b', 'a'])
  })
})

describe('q', () => {
  beforeEach(() =>
    list(
      snapshot('ai', { name: 'Deep Thought', description: 'Answers, after a while' }),
      snapshot('maps', {
        name: 'Atlas',
        operations: [operation('maps', { name: 'Geocode', url: 'https://api.maps-of-mars.example/v1/geocode' })],
      }),
      snapshot('both', { name: 'Deep Atlas' }),
    ),
  )

  test.each([
    ['a word of the name', 'thought', ['ai']],
    ['in any case', 'THOUGHT', ['ai']],
    ['the beginning of the last word', 'deep tho', ['ai']],
    ['words of the description', 'after while', ['ai']],
    ['the name of an endpoint', 'geocode', ['maps']],
    ['a word of the host', 'mars', ['maps']],
    ['the host', 'api.maps-of-mars.example', ['maps']],
    ['the URL of an endpoint', 'https://api.maps-of-mars.example/v1/geocode', ['maps']],
    ['what has most of the words', 'deep atlas', ['both']],
    ['what has some of the words, where nothing has more', 'what is a geocode, please?', ['maps']],
    ['a word with two letters swapped', 'thuoght', ['ai']],
    ['the category', 'data', ['ai', 'both', 'maps']],
    ['either with or', 'thought or geocode', ['ai', 'maps']],
    ['not what is excluded', 'atlas -deep', ['maps']],
    ['not what is excluded, wherever it stands', 'thought -while', []],
    ['what is left, when words are only excluded', '-deep', ['maps']],
    ['a phrase in its order', '"atlas deep"', []],
    ['a phrase as it stands', '"deep atlas"', ['both']],
    ['nothing', 'zebra', []],
    ['everything, when there is no word in it', '!? &|', ['ai', 'both', 'maps']],
    ['everything, when it is blank', '   ', ['ai', 'both', 'maps']],
  ])('finds %s', async (_what, q, expected) => {
    expect(await found({ q })).toEqual(expected)
  })

  test.each([
    ["'"],
    ['"'],
    ['\\'],
    ['a\u0000b'],
    ['\ud800'],
    ['a:*'],
    ["it's:A & !"],
    ['-'],
    ['(((('],
    ['%_'],
    ['x'.repeat(200)],
  ])('200: takes %j as text', async (q) => {
    expect((await page({ q })).protocol).toBe('callboard-discovery/1')
  })
})

describe('filters', () => {
  const OTHER = '0x00000000000000000000000000000000000000aa' as const
  const paid = (slug: string, price: string, more: Partial<ReturnType<typeof on>> = {}, path = 'ask') =>
    operation(slug, { url: `https://${slug}.example/${path}`, price, payment: { ...on(BASE), ...more } })
  beforeEach(async () => {
    await list(
      snapshot('cheap', { category: 'ai', operations: [paid('cheap', '0.001')] }),
      snapshot('dear', { operations: [paid('dear', '2', { payTo: OTHER })] }),
      snapshot('mixed', {
        operations: [paid('mixed', '5'), paid('mixed', '0.002', { network: ARC, payTo: OTHER, asset: OTHER }, 'arc')],
      }),
    )
    await catalog.deliver(probeCompleted, probe('cheap'))
    const liveness = { uptime7d: 0.5, latencyP50Ms: 1, latencyP95Ms: 2, checks7d: 100 }
    await catalog.deliver(probeCompleted, probe('dear', { liveness }))
  })

  test.each([
    ['category', { category: 'ai' }, ['cheap']],
    ['maxPrice', { maxPrice: '0.002' }, ['cheap', 'mixed']],
    ['maxPrice, to the last digit', { maxPrice: '0.00199999999999999999' }, ['cheap']],
    ['payTo, in any case', { payTo: OTHER.toUpperCase().replace('0X', '0x') }, ['dear', 'mixed']],
    ['asset', { asset: USDC }, ['cheap', 'dear', 'mixed']],
    ['minUptime', { minUptime: '0.5' }, ['cheap', 'dear']],
    ['minUptime 1', { minUptime: '1' }, ['cheap']],
    ['network and maxPrice of one endpoint', { network: BASE, maxPrice: '1' }, ['cheap']],
    ['payTo and asset of one endpoint', { payTo: OTHER, asset: USDC }, ['dear']],
    ['what nothing has', { payTo: address(77) }, []],
    ['with words', { q: 'mixed cheap dear', payTo: OTHER, maxPrice: '1' }, ['mixed']],
  ] as [string, Query, string[]][])('%s', async (_what, query, expected) => {
    expect((await found(query)).sort()).toEqual(expected)
  })

  test('the endpoint that is shown matches the filters', async () => {
    const { items } = await page({ maxPrice: '0.01', payTo: OTHER })
    expect(items).toMatchObject([{ execution: { url: 'https://mixed.example/arc', network: ARC } }])
  })

  test('facets: count the results and their values, only on request', async () => {
    expect(await page({})).not.toHaveProperty('facets')
    const { facets } = await page({ facets: 'true', limit: '1' })
    expect(facets).toEqual({
      total: 3,
      isComplete: true,
      category: [
        { value: 'data', count: 2 },
        { value: 'ai', count: 1 },
      ],
      network: [
        { value: BASE, count: 3 },
        { value: ARC, count: 1 },
      ],
      asset: [
        { value: USDC.toLowerCase(), count: 3 },
        { value: OTHER, count: 1 },
      ],
    })
    expect((await page({ facets: 'true', category: 'ai' })).facets).toMatchObject({ total: 1 })
    expect((await page({ facets: 'true', q: 'zebra' })).facets).toMatchObject({ total: 0, category: [] })
    expect((await page({ facets: 'true', kinds: 'open_request' })).facets).toMatchObject({ total: 0 })
  })

  test.each([
    ['category', { category: 'food' }],
    ['maxPrice', { maxPrice: '-1' }],
    ['maxPrice', { maxPrice: '1e3' }],
    ['maxPrice', { maxPrice: '9'.repeat(41) }],
    ['payTo', { payTo: '0x12' }],
    ['asset', { asset: 'usdc' }],
    ['minUptime', { minUptime: '1.1' }],
    ['minUptime', { minUptime: 'high' }],
    ['facets', { facets: 'all' }],
  ])('400: the schema refuses a bad %s', (_field, query) => {
    expect(operations.discovery.input.safeParse(query).success).toBe(false)
  })
})

describe('network', () => {
  test('finds what can be paid there, and shows the call that can be', async () => {
    const both = [
      operation('both'),
      operation('both', { url: 'https://both.example/arc', price: '2', payment: on(ARC) }),
    ]
    await list(snapshot('base'), snapshot('both', { operations: both }))
    expect(await found({ network: BASE })).toEqual(['base', 'both'])
    const { items } = await page({ network: ARC })
    expect(items).toMatchObject([
      { ref: 'both', execution: { url: 'https://both.example/arc', network: ARC, payable: true, mode: 'direct' } },
    ])
    expect(items[0]?.card.facts).toContainEqual({ label: 'price', value: '$2' })
    expect(await found({ network: 'eip155:1' })).toEqual([])
  })
})

describe('item', () => {
  test('carries the fields of the specification', async () => {
    await list(snapshot('a', { name: 'Alpha', description: 'Knows the first letter' }))
    expect((await page()).items).toEqual([
      {
        ref: 'a',
        card: {
          title: 'Alpha',
          summary: 'Knows the first letter',
          byline: 'a.example',
          badges: [{ code: 'verified', label: 'Verified' }],
          facts: [
            { label: 'price', value: '$0.01' },
            { label: 'network', value: BASE },
            { label: 'method', value: 'GET' },
          ],
        },
        kind: 'api',
        provenance: 'self_listed',
        group: 'added',
        fee: { bps: 500, label: '5% network fee' },
        verification: 'verified',
        execution: { mode: 'direct', url: 'https://a.example/ask', method: 'GET', network: BASE, payable: true },
        action: { type: 'invoke_api', href: expect.stringMatching(/^\/call\/invoke\?/) },
      },
    ])
  })

  test('the invoke link carries the call, and a signature over exactly that call', async () => {
    await list(snapshot('a'))
    const href = (await page()).items[0]?.action.href ?? ''
    const [query = '', sig] = href.slice('/call/invoke?'.length).split('&sig=')
    expect(Object.fromEntries(new URLSearchParams(query))).toEqual({
      url: 'https://a.example/ask',
      method: 'GET',
      schema: '/api/calls/a',
      network: BASE,
    })
    const signed = (text: string) =>
      createHmac('sha256', LINK_SIGNING_KEY).update(`callboard-invoke/1\n${text}`).digest('base64url')
    expect(sig).toBe(signed(query))
    expect(sig).not.toBe(signed(query.replace('GET', 'POST')))
  })

  test('an endpoint that answers with an MPP challenge is labelled and not payable', async () => {
    await list(snapshot('a'))
    await catalog.deliver(probeCompleted, probe('a', { state: 'mpp' }))
    expect((await page()).items).toMatchObject([
      {
        card: { badges: [{ code: 'verified' }, { code: 'mpp', label: 'MPP' }] },
        execution: { mode: 'unavailable', payable: false },
      },
    ])
  })

  test('a scheme other than exact is shown as not payable, and an exact endpoint is shown before it', async () => {
    const upto = operation('a', { url: 'https://a.example/upto', payment: { ...on(BASE), scheme: 'upto' } })
    await list(snapshot('a', { operations: [upto] }), snapshot('b', { operations: [upto, operation('b')] }))
    const { items } = await page()
    expect(items.map(({ execution }) => [execution.url, execution.payable])).toEqual([
      ['https://a.example/upto', false],
      ['https://b.example/ask', true],
    ])
  })

  test('a summary is cut to the length of a card', async () => {
    await list(snapshot('a', { description: '𝒳'.repeat(600) }))
    const summary = (await page()).items[0]?.card.summary ?? ''
    expect([...summary]).toHaveLength(500)
    expect(summary.endsWith('𝒳…')).toBe(true)
  })
})

describe('cursor', () => {
  const cursor = async (query: Query) => {
    const { nextCursor } = await page({ ...query, limit: '1' })
    if (!nextCursor) throw new Error('There is one page only')
    return nextCursor
  }
  const refused = { refusal: 'invalid_request', field: 'cursor' }

  beforeEach(() => list(snapshot('a', { name: 'Alpha one' }), snapshot('b', { name: 'Alpha two' })))

  test('continues with another limit, and the last page has none', async () => {
    const next = await page({ cursor: await cursor({}), limit: '50' })
    expect(next).toMatchObject({ items: [{ ref: 'b' }], nextCursor: null })
  })

  test.each([
    ['another text', { q: 'alpha' }],
    ['another network', { network: BASE }],
    ['other kinds', { kinds: 'api' }],
    ['unverified rows too', { includeUnverified: 'true' }],
    ['a category', { category: 'data' }],
    ['a price', { maxPrice: '1' }],
    ['a payee', { payTo: address(1) }],
    ['an asset', { asset: USDC }],
    ['an uptime', { minUptime: '0' }],
  ] as [string, Query][])('400 invalid_request: one that was given for %s', async (_what, query) => {
    expect(await catalog.askAnyway(operations.discovery, { cursor: await cursor(query) })).toMatchObject(refused)
    expect(await catalog.askAnyway(operations.discovery, { ...query, cursor: await cursor({}) })).toMatchObject(refused)
  })

  test('400 invalid_request: one of another route, tampered with, or made up', async () => {
    const good = await cursor({})
    const [body = '', tag = ''] = good.split('.')
    const place = JSON.parse(Buffer.from(body, 'base64url').toString())
    const forged = Buffer.from(JSON.stringify({ ...place, place: { ...place.place, slug: '' } })).toString('base64url')
    for (const bad of [
      `${forged}.${tag}`,
      `${body}.${'A'.repeat(22)}`,
      body,
      `${good}.`,
      'x',
      '%00',
      `${tag}.${body}`,
    ]) {
      expect(await catalog.askAnyway(operations.discovery, { cursor: bad }), bad).toMatchObject(refused)
    }
    expect(await catalog.askAnyway(operations.activity, { cursor: good })).toMatchObject(refused)
  })

  test('is the same for queries that differ only in spaces', async () => {
    const next = await page({ q: ' alpha ', cursor: await cursor({ q: 'alpha' }) })
    expect(next.items).toMatchObject([{ ref: 'b' }])
  })
})
