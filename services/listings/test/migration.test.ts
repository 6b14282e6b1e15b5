import { type Database, type EventTables, migrate, openDatabase } from '@callboard/store'
import { type TestDatabase, testDatabase } from '@callboard/testkit'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { listings } from '../src/index.ts'
import * as first from '../src/store/migrations/0001-listings.ts'

let database: TestDatabase
let store: Database<EventTables>

beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
  store = openDatabase<EventTables>({ url: database.url, schema: 'listings', maxConnections: 2, onError: () => {} })
})
afterAll(async () => {
  await store?.close()
  await database?.drop()
})

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const at = (hour: number) => new Date(Date.UTC(2026, 10, 1, hour)).toISOString()

async function listing(slug: string, verification: string): Promise<void> {
  await sql`
    insert into listing values (${slug}, 2, '0x01', ${`Name of ${slug}`}, '', 'data', 'live', ${verification}, 'added',
      'self_listed', 500, '', 'eip155:8453', '0x02', '0x03', '0x04', true, '[]', '{}', '{}', null, ${at(0)}, ${at(0)},
      ${at(0)})`.execute(store.db)
}

const snapshot = (version: number, hour: number, status: string, ...prices: string[]) => ({
  version,
  updatedAt: at(hour),
  status,
  operations: prices.map((price) => ({
    url: `https://a.example/${price}?q=1`,
    price,
    payment: { network: 'eip155:8453', asset: USDC },
  })),
})

test('0002 and 0003: past prices and resources are those that were published, and settlements are credited by them', async () => {
  await migrate(store.db as never, 'listings', { '0001-listings': first })
  await listing('a', 'verified')
  await listing('b', 'none')
  for (const [number, data] of [
    snapshot(2, 0, 'live', '0.01', '0.01', '0.05'),
    snapshot(3, 10, 'live', '0.02'),
    snapshot(4, 20, 'suspended', '0.02'),
  ].entries()) {
    await sql`
      insert into outbox (id, name, key, occurred_at, data)
      values (${`event-${number}`}, 'listing.changed.v1', 'a', ${data.updatedAt}, ${JSON.stringify(data)})`.execute(
      store.db,
    )
  }
  const settled: [number, string, number][] = [
    [1, '10000', 5],
    [2, '10000', 12],
    [3, '20000', 9],
    [4, '20000', 30],
    [5, '0', 5],
    [6, '7', 5],
  ]
  for (const [number, amount, hour] of settled) {
    await sql`
      insert into settlement values ('eip155:8453', ${`0x${number}`}, 1, '0x', ${number === 3 ? 'b' : 'a'}, ${amount},
        ${at(hour)})`.execute(store.db)
  }

  await migrate(store.db as never, 'listings', listings.migrations ?? {})
  const kinds = await database.query<{ tx_hash: string; kind: string }>(
    'select tx_hash, kind from listings.settlement order by tx_hash',
  )
  expect(kinds.map(({ tx_hash, kind }) => `${tx_hash} ${kind}`)).toEqual([
    '0x1 call',
    '0x2 transfer',
    '0x3 call',
    '0x4 transfer',
    '0x6 transfer',
  ])
  const asked = await database.query<{ version: string; prices: unknown[]; resources: string[] }>(
    'select version, prices, resources from listings.asked order by version',
  )
  expect(asked.map(({ version, prices }) => [Number(version), prices.length])).toEqual([
    [2, 2],
    [3, 1],
    [4, 0],
  ])
  expect(asked.map(({ resources }) => resources)).toEqual([
    ['https://a.example/0.01', 'https://a.example/0.05'],
    ['https://a.example/0.02'],
    [],
  ])
  expect(await database.query('select name_key, name_key_of from listings.listing order by slug')).toEqual([
    { name_key: 'narneofa', name_key_of: 'Name of a' },
    { name_key: 'narneofb', name_key_of: 'Name of b' },
  ])
})

test('0010: a verdict that is in force is against what the listing sells when it is migrated', async () => {
  const { '0010-rejected-resources': last, ...before } = listings.migrations ?? {}
  const other = await testDatabase(inject('postgresUrl'))
  const { db, close } = openDatabase<EventTables>({
    ...{ url: other.url, schema: 'listings', maxConnections: 2 },
    onError: () => {},
  })
  try {
    await migrate(db as never, 'listings', before)
    const operations = JSON.stringify(['a?q=1', 'a?q=2', 'b'].map((path) => ({ url: `https://A.example/${path}` })))
    for (const [slug, rejectedAt] of [
      ['judged', at(1)],
      ['free', null],
    ] as const)
      await sql`
        insert into listing (slug, version, owner, name, description, category, status, verification, listing_group,
          provenance, fee_bps, fee_label, network, payout_wallet, splitter_address, splitter_factory, splitter_deployed,
          operations, conformances, liveness, created_at, updated_at, rejected_at)
        values (${slug}, 2, '0x01', ${slug}, '', 'data', 'suspended', 'none', 'added', 'self_listed', 500, '',
          'eip155:8453', '0x02', '0x03', '0x04', true, ${operations}, '{}', '{}', ${at(0)}, ${at(0)}, ${rejectedAt})`.execute(
        db,
      )
    await migrate(db as never, 'listings', listings.migrations ?? {})
    expect(last).toBeDefined()
    expect(await other.query('select slug, rejected_resources from listings.listing order by slug')).toEqual([
      { slug: 'free', rejected_resources: null },
      { slug: 'judged', rejected_resources: ['https://a.example/a', 'https://a.example/b'] },
    ])
  } finally {
    await close()
    await other.drop()
  }
})
