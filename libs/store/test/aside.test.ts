import { type TestDatabase, testDatabase, until } from '@callboard/testkit'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { aside, type Database, openDatabase } from '../src/index.ts'

let database: TestDatabase
let store: Database<object>

beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
  store = openDatabase({ url: database.url, schema: 'public', maxConnections: 2, onError: () => {} })
})
afterAll(async () => {
  await store.close()
  await database.drop()
})

test('a side query that waits for a connection does not count as waiting work', async () => {
  const { pool } = store
  const held = [await pool.connect(), await pool.connect()]
  const asides = aside(() => [
    pool.query('select 1'),
    pool.connect().then((client) => client.release()),
    store.db.selectNoFrom((of) => of.lit(1).as('one')).execute(),
  ])
  await until('all of them wait', () => pool.waitingCount === 3)
  expect(pool.workWaiting).toBe(0)
  const work = [pool.query('select 1'), pool.query('select 1')]
  await until('the work waits behind them', () => pool.waitingCount === 5)
  expect(pool.workWaiting).toBe(2)

  for (const client of held) client.release()
  await Promise.all([...asides, ...work])
  expect(pool.workWaiting).toBe(0)
  // They are no longer counted.
  const [one, other] = [await pool.connect(), await pool.connect()]
  const waits = pool.query('select 1')
  await until('it waits', () => pool.waitingCount === 1)
  expect(pool.workWaiting).toBe(1)
  one.release()
  other.release()
  await waits
})
