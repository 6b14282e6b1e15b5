import { testDatabase } from '@callboard/testkit'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { appendEvents, type Database, type EventTables, latestPublished, migrate, openDatabase } from '../src/index.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
let store: Database<EventTables>
beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
  store = openDatabase<EventTables>({ url: database.url, schema: 'latest', maxConnections: 2, onError: () => {} })
  await migrate(store.db as unknown as Kysely<never>, 'latest', {})
})
afterAll(async () => {
  await store.close()
  await database.drop()
})

const MORE_THAN_A_PAGE = 1_201
const MINUTE_MS = 60_000

test('what was published lately is read in order, over many pages; what waits, or is older, is not', async () => {
  const events = Array.from({ length: MORE_THAN_A_PAGE }, (_, at) => ({ key: 'k', data: { at } }))
  await appendEvents({ name: 'word.said.v1', occurredAt: new Date(), events }).execute(store.db)
  await sql`update outbox set published_at = now() - interval '10 minutes' where sequence <= 100`.execute(store.db)
  await sql`update outbox set published_at = now() where sequence between 101 and 1200`.execute(store.db)
  const read: number[] = []
  for await (const page of latestPublished(store.db, MINUTE_MS)) read.push(...page.map(({ sequence }) => sequence))
  expect(read).toEqual(Array.from({ length: 1_100 }, (_, at) => 101 + at))
})

test('where nothing was published lately, nothing is read', async () => {
  await sql`update outbox set published_at = now() - interval '1 hour'`.execute(store.db)
  const pages: unknown[] = []
  for await (const page of latestPublished(store.db, MINUTE_MS)) pages.push(page)
  expect(pages).toEqual([])
})
