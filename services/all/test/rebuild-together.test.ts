import { catalog } from '@callboard/catalog'
import { chainIndexer } from '@callboard/chain-indexer'
import { eventName, settlementObserved } from '@callboard/contract'
import { migrateServices } from '@callboard/runtime'
import { startTestServices, type TestDatabase, type TestServices, testDatabase } from '@callboard/testkit'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { settlement } from '../../catalog/test/support/facts.ts'
import { projections, readEvents } from '../src/projection.ts'

const SETTLEMENTS = 200
/** As many as the bus hands over at a time. */
const TOGETHER = 64
let database: TestDatabase
let services: TestServices

beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
  await migrateServices([chainIndexer, catalog], { DATABASE_URL: database.url, LOG_LEVEL: 'silent' })
  const env = { LINK_SIGNING_KEY: 'a key of the tests that is long enough' }
  services = await startTestServices([catalog], { databaseUrl: database.url, env })
})
afterAll(async () => {
  await services?.stop()
  await database?.drop()
})

test('settlements are read in the bus’s batches, each of them once', async () => {
  const facts = Array.from({ length: SETTLEMENTS }, (_, at) => settlement(at + 1))
  await database.query(
    `insert into chain_indexer.outbox (id, name, key, occurred_at, data)
     select gen_random_uuid(), $1, fact->>'payTo', now(), fact from jsonb_array_elements($2::jsonb) with ordinality as one (fact, at)
     order by at`,
    [eventName(settlementObserved), JSON.stringify(facts)],
  )
  const [projection] = projections
  const ctx = services.contexts.get('catalog')
  if (!projection || !ctx) throw new Error('The catalog does not run')
  expect(await readEvents(projection, ctx, [chainIndexer])).toBe(SETTLEMENTS)
  expect(await readEvents(projection, ctx, [chainIndexer])).toBe(0)
  const [settled] = await database.query('select count(*)::int as count from catalog.settlement')
  expect(settled).toEqual({ count: SETTLEMENTS })
  const [written] = await database.query<{ count: number }>(
    'select count(distinct xmin::text)::int as count from catalog.inbox',
  )
  expect(written?.count).toBe(Math.ceil(SETTLEMENTS / TOGETHER))
})
