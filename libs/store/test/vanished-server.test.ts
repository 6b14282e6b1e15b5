import { overTcp, type TestDatabase, testDatabase, until } from '@callboard/testkit'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { type Database, type EventTables, isOutage, letStatementsTake, openDatabase } from '../src/index.ts'
import { wayTo } from './way-to.ts'

let database: TestDatabase
let way: Awaited<ReturnType<typeof wayTo>>
let opened: Database<EventTables>

beforeEach(async () => {
  database = await testDatabase(inject('postgresUrl'))
  const url = new URL(overTcp(database.url))
  way = await wayTo(Number(url.port), url.hostname)
  url.port = String(way.port)
  opened = openDatabase({ url: url.href, schema: 'suite', maxConnections: 2, answersWithinMs: 500, onError: () => {} })
})
afterEach(async () => {
  await opened.close()
  way.close()
  await database.drop()
})

const both = (text: string) => Promise.all([1, 2].map(() => opened.pool.query(text)))

describe('a Postgres that takes no writes, as one that has become a standby', () => {
  test('counts as unavailable, and its connections are replaced once they have written', async () => {
    const name = new URL(database.url).pathname.slice(1)
    await database.query(`alter database "${name}" set default_transaction_read_only = on`)
    const write = (text: string) => opened.db.transaction().execute((tx) => sql.raw(text).execute(tx))
    const refused = await write('create table public.made (one int)').catch((error: unknown) => error)
    expect(isOutage(refused)).toBe(true)
    await database.query(`begin read write; alter database "${name}" reset default_transaction_read_only; commit`)
    await until('what was connected is replaced', () =>
      write('create table public.made (one int)').then(
        () => true,
        () => false,
      ),
    )
  })
})

describe('a Postgres whose machine vanishes and closes no connection', () => {
  test('fails what waits for it, and its connections are replaced', async () => {
    await both('select pg_sleep(0.1)')
    way.vanish()
    const cut = await opened.pool.query('select 1').catch((error: unknown) => error)
    expect(isOutage(cut)).toBe(true)
    await until('its successor answers', async () => (await both('select 1')).length === 2)
  })

  test('is not suspected while a statement may take longer, but is again after its transaction', async () => {
    await opened.db.transaction().execute(async (tx) => {
      await letStatementsTake(tx, 0)
      await sql`select pg_sleep(0.8)`.execute(tx)
    })
    const usual = opened.db.transaction().execute((tx) => sql`select pg_sleep(0.8)`.execute(tx))
    await expect(usual).rejects.toThrow()
  })
})
