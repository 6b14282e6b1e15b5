import { listingChanged, catalog as operations, postingChanged } from '@callboard/contract'
import { granted, runOnce, startTestServices } from '@callboard/testkit'
import { DAY_MS, HOUR_MS, isoTime } from '@callboard/values'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import type { CatalogContext } from '../src/context.ts'
import { catalog as module } from '../src/index.ts'
import { sweepPostings } from '../src/jobs/sweep-postings.ts'
import { BASE_URL, LINK_SIGNING_KEY, NOW, partsOf, startCatalog, type TestCatalog } from './support/catalog.ts'
import { ARC, address, BASE, posting, postingId, snapshot, USDC } from './support/facts.ts'

type Query = z.input<typeof operations.discovery.input>

let catalog: TestCatalog
beforeAll(async () => {
  catalog = await startCatalog()
})
afterAll(() => catalog.stop())
beforeEach(async () => {
  catalog.clock.set(NOW)
  await catalog.empty()
})

const post = (number: number, more: Parameters<typeof posting>[1] = {}) =>
  catalog.deliver(postingChanged, posting(number, more))
const page = (query: Query = {}) => catalog.ask(operations.discovery, { includeUnverified: 'true', ...query })
const found = async (query: Query = {}) => (await page(query)).items.map(({ ref }) => ref)
const ids = (...numbers: number[]) => numbers.map(postingId)

describe('what is shown', () => {
  test('kinds filters, no kind is unavailable, and postings rank behind the APIs of their group', async () => {
    await catalog.deliver(listingChanged, snapshot('own', { group: 'svc', verification: 'none' }))
    await catalog.deliver(listingChanged, snapshot('api'))
    await catalog.deliver(listingChanged, snapshot('partner', { group: 'partner' }))
    await post(1)
    await post(2, { kind: 'open_request', createdAt: isoTime(NOW - 2 * DAY_MS) })
    expect(await found()).toEqual(['own', 'api', ...ids(1, 2), 'partner'])
    expect(await found({ kinds: 'api' })).toEqual(['own', 'api', 'partner'])
    expect(await found({ kinds: 'service_offer' })).toEqual(ids(1))
    expect(await found({ kinds: 'open_request' })).toEqual(ids(2))
    expect(await found({ kinds: ['open_request', 'service_offer'] })).toEqual(ids(1, 2))
    expect((await page()).unavailableKinds).toEqual([])
  })

  test('the card says what its poster claims, and nothing of it is payable', async () => {
    await post(1, { kind: 'open_request', hasVerifiedListing: true })
    const [item] = (await page()).items
    expect(item).toMatchObject({
      ref: postingId(1),
      kind: 'open_request',
      group: 'added',
      provenance: 'self_listed',
      verification: 'none',
      fee: { bps: 0 },
      card: {
        badges: [{ code: 'claimed' }, { code: 'verified_listing' }],
        facts: [
          { label: 'budget', value: '$250 (claimed)' },
          { label: 'network', value: `${BASE} (claimed)` },
          { label: 'posted by', value: address(700) },
          { label: 'expires', value: isoTime(NOW + DAY_MS) },
        ],
      },
      execution: { mode: 'unavailable', url: 'https://poster.example/contact', payable: false },
      action: { type: 'view_posting', href: `/api/call/postings/${postingId(1)}` },
    })
    const whole = await catalog.ask(operations.posting, { id: postingId(1) })
    expect(whole).toMatchObject({
      title: 'Posting 1',
      postedBy: address(700),
      claims: expect.arrayContaining(['title']),
    })
    expect(whole).not.toHaveProperty('version')
  })

  test('by default only postings of owners with a verified listing are shown, with the number of the others', async () => {
    await post(1)
    await post(2, { hasVerifiedListing: true })
    const shown = await page({ includeUnverified: 'false' })
    expect(shown.items.map(({ ref }) => ref)).toEqual(ids(2))
    expect(shown.hiddenUnverified).toBe(1)
    await post(2, { version: 2, hasVerifiedListing: false })
    expect(await found({ includeUnverified: 'false' })).toEqual([])
  })

  test('the other lists of APIs hold no postings', async () => {
    await catalog.deliver(listingChanged, snapshot('api'))
    await post(1, { hasVerifiedListing: true })
    for (const answer of [
      (await catalog.ask(operations.search, { q: '' })).calls,
      (await catalog.ask(operations.list, {})).calls,
      (await catalog.ask(operations.services, { includeUnverified: 'true' })).services,
    ]) {
      expect(answer.map(({ id }) => id)).toEqual(['api'])
    }
  })
})

describe('the search', () => {
  test('forgives misspellings, and finds a posting by title, description, category and host', async () => {
    await post(1, { title: 'Translate a manual', description: 'Pumps and valves', category: 'ai' })
    await post(2, { title: 'Label pictures', contactUrl: 'https://labels.example/', category: 'data' })
    for (const q of ['translation of manuals', 'valvs', 'pumps']) expect(await found({ q }), q).toEqual(ids(1))
    expect(await found({ q: 'labels.example' })).toEqual(ids(2))
    expect(await found({ category: 'ai' })).toEqual(ids(1))
  })

  test('ignores no filter: each applies to a posting as it does to an endpoint', async () => {
    const asset = address(9)
    await post(1, {
      amountUsd: '5',
      accepts: [
        { network: BASE, asset: USDC },
        { network: ARC, asset },
      ],
    })
    expect(await found({ network: ARC })).toEqual(ids(1))
    expect((await page({ network: ARC })).items[0]?.execution.network).toBe(ARC)
    expect(await found({ network: ARC, asset })).toEqual(ids(1))
    expect(await found({ network: ARC, asset: USDC })).toEqual([])
    expect(await found({ maxPrice: '5' })).toEqual(ids(1))
    expect(await found({ maxPrice: '4.99' })).toEqual([])
    expect(await found({ payTo: address(1) })).toEqual([])
    expect(await found({ minUptime: '0.5' })).toEqual([])
  })

  test('facets count the results of the requested kinds', async () => {
    await catalog.deliver(listingChanged, snapshot('api'))
    await post(1, { category: 'ai' })
    await post(2, { category: 'ai', expiresAt: isoTime(NOW + HOUR_MS) })
    const facets = async (query: Query) => (await page({ facets: 'true', ...query })).facets
    expect(await facets({})).toMatchObject({
      total: 3,
      category: [
        { value: 'ai', count: 2 },
        { value: 'data', count: 1 },
      ],
    })
    expect(await facets({ kinds: 'service_offer' })).toMatchObject({ total: 2, network: [{ value: BASE, count: 2 }] })
    catalog.clock.set(NOW + HOUR_MS)
    expect(await facets({ kinds: 'service_offer' })).toMatchObject({ total: 1 })
  })

  test('pages hold every row of all kinds once, and a cursor belongs to its kinds', async () => {
    for (let number = 1; number <= 5; number += 1) {
      await post(number)
      await catalog.deliver(listingChanged, snapshot(`api-${number}`))
    }
    await catalog.deliver(listingChanged, snapshot('partner', { group: 'partner' }))
    const whole = await found({ limit: '50' })
    expect(whole).toHaveLength(11)
    for (const limit of ['1', '2', '3']) {
      const read: string[] = []
      let cursor: string | undefined
      do {
        const next = await page({ limit, ...(cursor ? { cursor } : {}) })
        read.push(...next.items.map(({ ref }) => ref))
        cursor = next.nextCursor ?? undefined
      } while (cursor)
      expect(read).toEqual(whole)
    }
    const cursor = (await page({ limit: '1' })).nextCursor ?? ''
    expect(
      await catalog.askAnyway(operations.discovery, { includeUnverified: 'true', kinds: 'api', cursor }),
    ).toMatchObject({
      refusal: 'invalid_request',
      field: 'cursor',
    })
  })
})

describe('the end of a posting', () => {
  test('takes effect at its time without any event, in every answer and on every replica', async () => {
    await post(1, { expiresAt: isoTime(NOW + HOUR_MS) })
    const env = { LINK_SIGNING_KEY, BASE_URL }
    const other = await startTestServices([module], { databaseUrl: catalog.database.url, clock: catalog.clock, env })
    const both = async () => {
      const answers = [catalog.services, other].map((services) =>
        services.call(operations.discovery, operations.discovery.input.parse({ includeUnverified: 'true' })),
      )
      return (await Promise.all(answers)).map((answer) => granted(answer).items.map(({ ref }) => ref))
    }
    expect(await both()).toEqual([ids(1), ids(1)])
    catalog.clock.set(NOW + HOUR_MS - 1)
    expect(await both()).toEqual([ids(1), ids(1)])
    catalog.clock.set(NOW + HOUR_MS)
    expect(await both()).toEqual([[], []])
    expect(await catalog.askAnyway(operations.posting, { id: postingId(1) })).toMatchObject({ refusal: 'not_found' })
    await other.stop()
    const restarted = await startTestServices([module], {
      databaseUrl: catalog.database.url,
      clock: catalog.clock,
      env,
    })
    const answer = await restarted.call(
      operations.discovery,
      operations.discovery.input.parse({ includeUnverified: 'true' }),
    )
    expect(granted(answer).items).toEqual([])
    await restarted.stop()
  })

  test('is undone by a renewal, but not after it was closed or taken down', async () => {
    await post(1, { expiresAt: isoTime(NOW - 1) })
    expect(await found()).toEqual([])
    await post(1, { version: 2 })
    expect(await found()).toEqual(ids(1))
    await post(1, { version: 3, status: 'closed' })
    expect(await found()).toEqual([])
    await post(2)
    await post(2, { version: 2, status: 'taken_down' })
    expect(await found()).toEqual([])
    expect(await catalog.askAnyway(operations.posting, { id: postingId(2) })).toMatchObject({ refusal: 'not_found' })
  })

  test('is not undone by an earlier version that arrives late', async () => {
    await post(1, { version: 2, status: 'closed' })
    await post(1)
    expect(await found()).toEqual([])
  })
})

test('thirty days after it ended, nothing is kept of a posting, and a renewal shows it again', async () => {
  await post(1, { expiresAt: isoTime(NOW - 31 * DAY_MS), updatedAt: isoTime(NOW - 40 * DAY_MS) })
  await post(2)
  const kept = async (table: string, column: string) =>
    (
      await catalog.database.query(`select ${column} as id from catalog.${table} where ${column} = any($1)`, [
        ids(1, 2),
      ])
    )
      .map(({ id }) => id)
      .sort()
  expect(await kept('listing_change', 'slug')).toEqual(ids(1, 2))
  await runOnce(sweepPostings, catalog.services.contexts.get('catalog') as CatalogContext)
  expect(await kept('posting', 'id')).toEqual(ids(2))
  expect(await kept('listing_change', 'slug')).toEqual(ids(2))
  await post(1, { version: 2 })
  expect(await found()).toEqual(ids(1, 2))
})

describe('while the table of postings cannot be read', () => {
  test('its kinds are named as unavailable, APIs are served and followed, and postings return with it', async () => {
    await catalog.deliver(listingChanged, snapshot('api'))
    await post(1)
    await catalog.database.query('alter table catalog.posting rename to posting_away')
    try {
      // The replica notices the next time it reads a posting.
      await catalog.database.query(
        `insert into catalog.listing_change values ($1, pg_current_xact_id())
           on conflict (slug) do update set xid = excluded.xid`,
        [postingId(1)],
      )
      await catalog.deliver(listingChanged, snapshot('late', { group: 'partner' }))
      const away = await page({ facets: 'true' })
      expect(away.items.map(({ ref }) => ref)).toEqual(['api', 'late'])
      expect(away.unavailableKinds).toEqual(['service_offer', 'open_request'])
      expect(away.facets).toMatchObject({ total: 2 })
      expect((await page({ kinds: 'api' })).unavailableKinds).toEqual([])
      expect(await page({ kinds: 'open_request' })).toMatchObject({ items: [], unavailableKinds: ['open_request'] })
    } finally {
      await catalog.database.query('alter table catalog.posting_away rename to posting')
    }
    await partsOf(catalog.services).follower.caughtUp()
    const back = await page()
    expect(back.unavailableKinds).toEqual([])
    expect(back.items.map(({ ref }) => ref)).toEqual(['api', postingId(1), 'late'])
  })
})
