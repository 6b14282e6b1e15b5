import { type Database, type EventTables, migrate, openDatabase } from '@callboard/store'
import { type TestDatabase, testDatabase } from '@callboard/testkit'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { catalog } from '../src/index.ts'
import * as projection from '../src/store/migrations/0001-projection.ts'
import * as changes from '../src/store/migrations/0002-changes.ts'
import { BASE, operation, snapshot, USDC } from './support/facts.ts'

let database: TestDatabase
let store: Database<EventTables>

beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
  store = openDatabase<EventTables>({ url: database.url, schema: 'catalog', maxConnections: 2, onError: () => {} })
})
afterAll(async () => {
  await store?.close()
  await database?.drop()
})

test('0003: payments of any price ever asked stay calls, other amounts become transfers, and none is lost', async () => {
  await migrate(store.db as never, 'catalog', { '0001-projection': projection, '0002-changes': changes })
  const listed = JSON.stringify(snapshot('a', { operations: [operation('a', { price: '0.02' })] }))
  await sql`
    insert into listing (slug, version, snapshot, schemas, name, group_rank, verification, endpoints, removed, published)
    values ('a', 3, ${listed}, '[]', 'a', 1, 'none', 1, false, true)`.execute(store.db)
  await sql`insert into asked_price values ('a', ${BASE}, 0.01), ('a', ${BASE}, 0.02)`.execute(store.db)
  for (const [number, amount, slug] of [
    [1, '0.01', 'a'],
    [2, '0.020', 'a'],
    [3, '0.03', 'a'],
    [4, '0', 'a'],
    [5, '0.5', null],
  ] as const) {
    await sql`
      insert into settlement values (${BASE}, ${`0x${number}`}, 1, 7, '0x', now(), '0x', '0x', ${USDC}, ${amount}, ${slug},
        false, ${number})`.execute(store.db)
  }
  await migrate(store.db as never, 'catalog', catalog.migrations ?? {})
  const rows = await database.query<{ tx_hash: string; kind: string }>(
    'select tx_hash, kind from catalog.settlement order by tx_hash',
  )
  expect(rows.map(({ tx_hash, kind }) => `${tx_hash} ${kind}`)).toEqual([
    '0x1 call',
    '0x2 call',
    '0x3 transfer',
    '0x5 call',
  ])
  expect(
    await database.query('select version, since, jsonb_array_length(prices) as prices from catalog.asked'),
  ).toEqual([{ version: expect.anything(), since: new Date(0), prices: 2 }])
})
