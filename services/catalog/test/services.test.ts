import { listingChanged, catalog as operations, probeCompleted } from '@callboard/contract'
import { HOUR_MS, isoTime } from '@callboard/values'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { NOW, startCatalog, type TestCatalog } from './support/catalog.ts'
import { ARC, address, BASE, conformant, mirrored, operation, probe, snapshot, USDC } from './support/facts.ts'

let catalog: TestCatalog
beforeAll(async () => {
  catalog = await startCatalog()
})
afterAll(() => catalog.stop())
beforeEach(() => catalog.empty())

const list = async (...snapshots: ReturnType<typeof snapshot>[]) => {
  for (const one of snapshots) await catalog.deliver(listingChanged, one)
}
const ids = (services: readonly { id: string }[]) => services.map(({ id }) => id)

describe('services', () => {
  const found = async (query: Parameters<typeof catalog.ask<typeof operations.services>>[1] = {}) =>
    ids((await catalog.ask(operations.services, query)).services)

  beforeEach(async () => {
    await list(
      snapshot('verified', { category: 'ai', name: 'Deep Thought' }),
      snapshot('unreviewed', { verification: 'none' }),
      mirrored('fresh', { name: 'Thought of others' }),
      mirrored('stale'),
    )
    await catalog.deliver(probeCompleted, probe('fresh'))
  })

  test('verified listings are returned by default, and includeUnverified adds what discovery would add', async () => {
    expect(await found()).toEqual(['verified'])
    expect(await found({ includeUnverified: 'true' })).toEqual(['verified', 'unreviewed', 'fresh'])
  })

  test('q, category and limit narrow the result', async () => {
    expect(await found({ q: 'thought', includeUnverified: 'true' })).toEqual(['verified', 'fresh'])
    expect(await found({ category: 'ai', includeUnverified: 'true' })).toEqual(['verified'])
    expect(await found({ category: 'compute' })).toEqual([])
    expect(await found({ limit: '1', includeUnverified: 'true' })).toEqual(['verified'])
  })

  test.each([{ limit: '0' }, { limit: '101' }, { category: 'games' }, { q: 'x'.repeat(201) }, { cursor: 'x' }])(
    '400: the schema refuses %j',
    (query) => {
      expect(operations.services.input.safeParse(query).success).toBe(false)
    },
  )

  test('twenty rows are returned by default', async () => {
    for (let number = 0; number < 25; number += 1) await list(snapshot(`more-${number}`))
    expect(await found()).toHaveLength(20)
    expect(await found({ limit: '100' })).toHaveLength(26)
  })

  test('a service has the fields of the frozen shape', async () => {
    const payment = {
      scheme: 'exact',
      network: ARC,
      asset: USDC,
      payTo: address(7),
      amount: '5000',
      checkedAt: isoTime(NOW),
    }
    await list(
      snapshot('verified', {
        version: 2,
        operations: [
          operation('verified', { price: '0.1' }),
          operation('verified', {
            name: 'Cheap',
            method: 'POST',
            url: 'https://verified.example/cheap',
            price: '0.005',
            payment,
          }),
          { ...operation('verified'), name: 'Unread', price: null, payment: null },
        ],
      }),
    )
    await catalog.deliver(probeCompleted, probe('verified'))
    const { services } = await catalog.ask(operations.services, {})
    expect(services).toEqual([
      {
        id: 'verified',
        name: 'verified',
        description: 'An API',
        category: 'data',
        tier: 'verified',
        group: 'added',
        fee: { bps: 500, label: '5% network fee' },
        verified: true,
        verification: 'verified',
        wrapped: false,
        lastCheckedAt: isoTime(NOW - HOUR_MS),
        liveness: { uptime7d: 1, latencyP50Ms: 80, latencyP95Ms: 120, checks7d: 100 },
        conformance: conformant,
        price: '0.005',
        networks: [BASE, ARC],
        endpoints: [
          {
            name: 'Ask',
            method: 'GET',
            url: 'https://verified.example/ask',
            price: '0.1',
            description: 'Answers one question',
            payment: {
              scheme: 'exact',
              network: BASE,
              asset: USDC,
              payTo: address(1),
              checkedAt: isoTime(NOW - HOUR_MS),
            },
          },
          {
            name: 'Cheap',
            method: 'POST',
            url: 'https://verified.example/cheap',
            price: '0.005',
            description: 'Answers one question',
            payment: { scheme: 'exact', network: ARC, asset: USDC, payTo: address(7), checkedAt: isoTime(NOW) },
          },
        ],
      },
    ])
  })

  test('distinguishes listed from mirrored, and never checked from checked', async () => {
    const { services } = await catalog.ask(operations.services, { includeUnverified: 'true' })
    expect(services.map(({ id, tier, lastCheckedAt }) => [id, tier, lastCheckedAt])).toEqual([
      ['verified', 'verified', null],
      ['unreviewed', 'listed', null],
      ['fresh', 'mirrored', isoTime(NOW - HOUR_MS)],
    ])
  })
})

describe('search and list', () => {
  test('show the whole published catalogue in the order of the directory', async () => {
    await list(mirrored('stale'), snapshot('unreviewed', { verification: 'none' }), snapshot('own', { group: 'svc' }))
    await list(snapshot('draft', { status: 'draft' }))
    const all = ['own', 'unreviewed', 'stale']
    expect(ids((await catalog.ask(operations.list, {})).calls)).toEqual(all)
    expect(ids((await catalog.ask(operations.search, {})).calls)).toEqual(all)
    expect(ids((await catalog.ask(operations.search, { q: 'stale' })).calls)).toEqual(['stale'])
    expect(ids((await catalog.ask(operations.search, { limit: '1' })).calls)).toEqual(['own'])
  })

  test('a catalogue larger than one answer of the bus is cut, not refused', async () => {
    const description = 'x'.repeat(200_000)
    for (let number = 1; number <= 6; number += 1) await list(snapshot(`large-${number}`, { description }))
    expect(ids((await catalog.ask(operations.list, {})).calls)).toEqual(['large-1', 'large-2', 'large-3', 'large-4'])
  })
})

describe('entry', () => {
  const entry = (serviceId: string) => catalog.askAnyway(operations.entry, { serviceId })

  test('is the service with what is needed to build a call', async () => {
    const inputSchema = { type: 'object', properties: { q: { type: 'string' } } }
    await list(
      snapshot('a', {
        operations: [operation('a', { inputSchema, metadataEvidence: 'bazaar' }), operation('a', { method: 'POST' })],
      }),
    )
    expect(await catalog.ask(operations.entry, { serviceId: 'a' })).toMatchObject({
      id: 'a',
      listedAt: snapshot('a').listedAt,
      endpoints: { length: 2 },
      requests: [
        {
          name: 'Ask',
          method: 'GET',
          url: 'https://a.example/ask',
          inputSchema,
          outputSchema: null,
          metadataEvidence: 'bazaar',
        },
        { method: 'POST', inputSchema: null },
      ],
    })
  })

  test.each(['unknown', 'Not-A-Slug', 'a\u0000b', '../a'])('404 not_found: %j is no entry', async (serviceId) => {
    expect(await entry(serviceId)).toMatchObject({ refusal: 'not_found' })
  })

  test('404 not_found: a listing that is not live', async () => {
    await list(snapshot('a', { status: 'suspended' }))
    expect(await entry('a')).toMatchObject({ refusal: 'not_found' })
  })

  test('a schema that does not fit in the answer is left out, and the others stay', async () => {
    const large = { description: 'x'.repeat(600_000) }
    const small = { type: 'object' }
    const operations_ = [
      operation('a', { inputSchema: large }),
      operation('a', { method: 'POST', inputSchema: large, outputSchema: small }),
    ]
    await list(snapshot('a', { operations: operations_ }))
    const { requests } = await catalog.ask(operations.entry, { serviceId: 'a' })
    expect(requests).toMatchObject([{ inputSchema: large }, { inputSchema: null, outputSchema: small }])
  })
})
