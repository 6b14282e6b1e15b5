import { type TestDatabase, testDatabase } from '@callboard/testkit'
import { DAY_MS } from '@callboard/values'
import { type SqlBool, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import {
  claimEvents,
  type Database,
  deleteSuperseded,
  type EventTables,
  forgetClaims,
  migrate,
  openDatabase,
  type SupersededEvents,
} from '../src/index.ts'

let database: TestDatabase
let store: Database<EventTables>
beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
  store = openDatabase<EventTables>({ url: database.url, schema: 'suite', maxConnections: 5, onError: () => {} })
  await migrate(store.db as never, 'suite', {})
})
beforeEach(() => database.query('truncate suite.outbox, suite.inbox'))
afterAll(async () => {
  await store.close()
  await database.drop()
})

const NOW = Date.parse('2026-11-28T00:00:00Z')
const days = (age: number) => new Date(NOW - age * DAY_MS)

/** Writes events in this order; each is published unless it says otherwise. */
async function write(
  ...events: readonly { key: string; data?: object; age?: number; name?: string; waits?: true }[]
): Promise<void> {
  for (const [n, { key, data = {}, age = 2, name = 'thing.seen.v1', waits }] of events.entries()) {
    await database.query(
      `insert into suite.outbox (id, name, key, occurred_at, published_at, data) values ($1, $2, $3, $4, $5, $6)`,
      [`event-${n}`, name, key, days(age), waits ? null : days(age), JSON.stringify(data)],
    )
  }
}

/** The ids of what remains when events of more than a day are considered, and how many pages that took. */
async function remaining(more: Partial<SupersededEvents> = {}) {
  let pages = 0
  for (let after: number | undefined = 0; after !== undefined; pages += 1) {
    after = await deleteSuperseded(store.db, { name: 'thing.seen.v1', ...more }, days(1), after)
  }
  const rows = await database.query<{ id: string }>('select id from suite.outbox order by sequence')
  return { ids: rows.map(({ id }) => Number(id.slice('event-'.length))), pages }
}

describe('superseded events', () => {
  test('of each key the last event is kept, however old', async () => {
    await write({ key: 'a', age: 9 }, { key: 'b', age: 9 }, { key: 'a', age: 8 }, { key: 'a', age: 7 })
    expect((await remaining()).ids).toEqual([1, 3])
  })

  test('the last event is deleted too where its kind says after how much longer', async () => {
    await write({ key: 'a', age: 9 }, { key: 'a', age: 8 }, { key: 'b', age: 5 }, { key: 'c', age: 8, waits: true })
    expect((await remaining({ lastLongerMs: 7 * DAY_MS })).ids).toEqual([1, 2, 3])
    expect((await remaining({ lastLongerMs: 6 * DAY_MS })).ids).toEqual([2, 3])
  })

  test('younger ones, other kinds, and ones that wait to be published are kept', async () => {
    await write(
      { key: 'a', name: 'thing.lost.v1' },
      { key: 'a', waits: true },
      { key: 'a' },
      { key: 'a', age: 0.5 },
      { key: 'a', age: 0 },
    )
    expect((await remaining()).ids).toEqual([0, 1, 3, 4])
  })

  test('one that waits to be published supersedes none: a crash may have been before its consumers got it', async () => {
    await write({ key: 'a' }, { key: 'a', waits: true })
    expect((await remaining()).ids).toEqual([0, 1])
  })

  test('a later event supersedes only what it says as well', async () => {
    await write({ key: 'a', data: { up: true } }, { key: 'a', data: { up: true } }, { key: 'a', data: { up: false } })
    const when = sql<SqlBool>`later.data -> 'up' = 'true' or earlier.data -> 'up' = 'false'`
    expect((await remaining({ when: sql<SqlBool>`(${when})` })).ids).toEqual([1, 2])
  })

  test('a log of several pages is considered to its end', async () => {
    await database.query(
      `insert into suite.outbox (id, name, key, occurred_at, published_at, data)
       select 'event-' || n, 'thing.seen.v1', (n % 1100)::text, $1, $1, '{}' from generate_series(0, 2499) n`,
      [days(2)],
    )
    const { ids, pages } = await remaining()
    expect(ids).toEqual(Array.from({ length: 1_100 }, (_, n) => 1_400 + n))
    expect(pages).toBeGreaterThan(2)
  })
})

test('claims are forgotten by their age, a portion at a time', async () => {
  await store.db.transaction().execute((tx) => claimEvents(tx, [{ consumer: 'c', eventId: 'young' }]))
  await database.query(
    `insert into suite.inbox (consumer, event_id, handled_at)
     select 'c', 'old-' || n, $1 from generate_series(1, 10001) n`,
    [days(40)],
  )
  const count = async () => Number((await database.query<{ n: string }>('select count(*) n from suite.inbox'))[0]?.n)
  expect(await forgetClaims(store.db, days(37))).toBe(true)
  expect(await count()).toBe(2)
  expect(await forgetClaims(store.db, days(37))).toBe(false)
  expect(await database.query('select event_id from suite.inbox')).toEqual([{ event_id: 'young' }])
})
