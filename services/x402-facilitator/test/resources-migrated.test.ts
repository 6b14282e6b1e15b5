import { type Database, openDatabase } from '@callboard/store'
import { type TestDatabase, testDatabase, wallet } from '@callboard/testkit'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { listResources } from '../src/store/listed-resource.repository.ts'
import * as payments from '../src/store/migrations/0001-payments.ts'
import * as batches from '../src/store/migrations/0002-batches.ts'
import * as resources from '../src/store/migrations/0003-resources.ts'
import * as sites from '../src/store/migrations/0010-sites.ts'
import { lockDue } from '../src/store/probe-queue.repository.ts'
import type { FacilitatorTables } from '../src/store/tables.ts'

const [SELLER, ATTACKER, USDC] = [wallet(70).address, wallet(71).address, wallet(72).address]
const URL = 'https://sky.example/now'

let postgres: TestDatabase
let database: Database<FacilitatorTables>

const migrate = ({ up }: typeof payments) => up(database.db as unknown as Kysely<unknown>)

/** A payer's claims as the previous release stored them. */
const claimed = (url: string, payTo: string) =>
  sql`
  insert into resource (resource, pay_to, type, x402_version, accepts, description, service_name, first_seen_at, last_updated_at)
  values (${url}, ${payTo}, 'http', 2, ${JSON.stringify([{ network: 'eip155:8453', asset: USDC, payTo }])}::jsonb,
    'CLAIMED', 'CLAIMED', now() - interval '1 day', now())
  on conflict (resource, pay_to) do update set description = excluded.description`.execute(database.db)

beforeAll(async () => {
  postgres = await testDatabase(inject('postgresUrl'))
  database = openDatabase({ url: postgres.url, schema: 'public', maxConnections: 2, onError: () => {} })
  await migrate(payments)
  await migrate(batches)
  for (const payTo of [SELLER, ATTACKER]) await claimed(URL, payTo)
  await claimed('https://other.example/', SELLER)
  await migrate(resources)
  await migrate(sites)
})
afterAll(async () => {
  await database.close()
  await postgres.drop()
})

test('payers’ claims are no longer listed, and each URL is due for one probe with all its claimed payees', async () => {
  expect(await listResources(database.db, { limit: 100, offset: 0 })).toEqual({ rows: [], total: 0 })
  const due = await database.db.transaction().execute((tx) => lockDue(tx, new Date(Date.now() + 1_000), 100))
  expect(due.map(({ url, site, payees }) => ({ url, site, payees: payees.toSorted() }))).toEqual(
    [
      { url: 'https://other.example/', site: 'https://other.example', payees: [SELLER] },
      { url: URL, site: 'https://sky.example', payees: [SELLER, ATTACKER].toSorted() },
    ].toSorted((a, b) => (a.url < b.url ? -1 : 1)),
  )
  const stored = await database.db.selectFrom('discovered_resource').selectAll().execute()
  expect(JSON.stringify(stored)).not.toContain('CLAIMED')
})

test('a replica of the previous release can still write', async () => {
  await claimed('https://later.example/', SELLER)
  expect((await listResources(database.db, { limit: 100, offset: 0 })).total).toBe(0)
})
