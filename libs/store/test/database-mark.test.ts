import { type TestDatabase, testDatabase, until } from '@callboard/testkit'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  type Database,
  type EventTables,
  endRestored,
  markDatabase,
  memoryCounters,
  migrate,
  noticeRestore,
  openDatabase,
} from '../src/index.ts'

let database: TestDatabase
let store: Database<EventTables>
const counters = memoryCounters({ now: () => Date.now() })
const later = () => database.query("update suite.database_mark set beaten_at = now() - interval '1 minute'")
const standAt = (beat: number) => database.query('update suite.database_mark set beat = $1', [beat])
const open = () =>
  openDatabase<EventTables>({ url: database.url, schema: 'suite', maxConnections: 4, onError: () => {} })

beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
  store = open()
  await migrate(store.db as never, 'suite', {})
})
afterAll(async () => {
  await store.close()
  await database.drop()
})

test('marking a schema, by one replica or two at once, never makes it look restored', async () => {
  for (let round = 0; round < 3; round += 1) {
    await later()
    await Promise.all([markDatabase(store, counters), markDatabase(store, counters), noticeRestore(store.db, counters)])
    expect(await noticeRestore(store.db, counters)).toBeUndefined()
  }
  const [{ beat } = {}] = await database.query<{ beat: string }>('select beat from suite.database_mark')
  expect(beat).toBe('3')
})

test('no statement runs on a database that stands earlier than its process has seen', async () => {
  const process = open()
  await markDatabase(process, counters)
  await database.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'callboard-suite'",
  )
  await until('its connections are gone', () => process.pool.totalCount === 0)
  await standAt(2)
  await expect(process.pool.query('select 1')).rejects.toThrow('it stands at mark 2, and this process has seen mark 3')
  await process.close()
  await store.close()
  store = open()
})

test('a schema below its mark counts as restored, whatever is marked later, until an operator ends that', async () => {
  const because = expect.stringContaining('it stands at mark 2, and mark 3 was acknowledged')
  expect(await noticeRestore(store.db, counters)).toMatchObject({ because })
  await standAt(9)
  await markDatabase(store, counters)
  expect(await noticeRestore(store.db, counters)).toMatchObject({ because })
  await endRestored(store.db, counters)
  expect(await noticeRestore(store.db, counters)).toBeUndefined()
})

test('an empty Redis alone is no restore, but with another Postgres history it counts as one', async () => {
  const empty = memoryCounters({ now: () => Date.now() })
  expect(await noticeRestore(store.db, empty)).toBeUndefined()
  await database.query("update suite.database_mark set history = '1/00000001'")
  expect(await noticeRestore(store.db, counters)).toBeUndefined()
  expect(await noticeRestore(store.db, empty)).toMatchObject({ because: expect.stringContaining('no mark is kept') })
})
