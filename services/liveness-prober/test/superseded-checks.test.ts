import { type Database, deleteSuperseded, type EventTables, migrate, openDatabase } from '@callboard/store'
import { type TestDatabase, testDatabase } from '@callboard/testkit'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { livenessProber } from '../src/index.ts'
import { supersededChecks } from '../src/store/superseded-checks.ts'

let database: TestDatabase
let store: Database<EventTables>
beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
  store = openDatabase<EventTables>({ url: database.url, schema: 'prober', maxConnections: 2, onError: () => {} })
  await migrate(store.db as never, 'prober', livenessProber.migrations ?? {})
})
beforeEach(() => database.query('truncate prober.outbox'))
afterAll(async () => {
  await store.close()
  await database.drop()
})

const OFFER = [{ scheme: 'exact' }]
const up = { url: 'https://a.example/ask', method: 'GET', verdict: 'up', accepts: OFFER, minute: 0 }
const down = { ...up, verdict: 'down', accepts: null }

/** The numbers of the checks that are kept of these, all of one listing and written in this order. */
async function kept(...checks: readonly (typeof up | typeof down)[]): Promise<number[]> {
  for (const [n, { minute, ...check }] of checks.entries()) {
    const checkedAt = new Date(Date.parse('2026-11-01T00:00:00Z') + minute * 60_000).toISOString()
    await database.query(
      `insert into prober.outbox (id, name, key, occurred_at, published_at, data)
       values ($1, 'probe.completed.v1', 'tides', '2026-11-01', '2026-11-01', $2)`,
      [String(n), JSON.stringify({ slug: 'tides', ...check, checkedAt })],
    )
  }
  await deleteSuperseded(store.db, supersededChecks, new Date('2026-11-02'), 0)
  const rows = await database.query<{ id: string }>('select id from prober.outbox order by sequence')
  return rows.map(({ id }) => Number(id))
}

test('of checks that say as much, the last is kept', async () => {
  expect(await kept({ ...up }, { ...up, minute: 1 }, { ...up, minute: 2 })).toEqual([2])
})

test('the last check that found it up is kept, the last that read an offer, and the last that did both', async () => {
  const onlyUp = { ...up, accepts: null as never, minute: 2 }
  const onlyOffers = { ...up, verdict: 'down', minute: 3 }
  const checks = [up, { ...up, minute: 1 }, onlyUp, onlyOffers, { ...down, minute: 4 }, { ...down, minute: 5 }]
  expect(await kept(...checks)).toEqual([1, 2, 3, 5])
})

test('an offer that ended is an offer read: no way to pay is something else than nothing learnt', async () => {
  expect(await kept(up, { ...up, minute: 1, accepts: [] })).toEqual([1])
})

test('endpoints of one listing are kept apart by method and URL', async () => {
  const post = { ...up, method: 'POST' }
  const other = { ...up, url: 'https://b.example/ask' }
  expect(await kept(up, post, other)).toEqual([0, 1, 2])
})

test('a check that was written later and made earlier supersedes none', async () => {
  expect(await kept({ ...up, minute: 5 }, up)).toEqual([0, 1])
})

test('a URL longer than an entry of an index may be is recorded', async () => {
  const url = `https://a.example/${Array.from({ length: 500 }, (_, n) => n.toString(36).padStart(4, '0')).join('')}`
  expect(await kept({ ...up, url: `${url}${url}` }, { ...up, url: `${url}${url}`, minute: 1 })).toEqual([1])
})
