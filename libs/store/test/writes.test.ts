import type { Socket } from 'node:net'
import { type TestDatabase, testDatabase } from '@callboard/testkit'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { type Database, openDatabase } from '../src/database.ts'
import { pipelined } from '../src/statements/pipelined.ts'

let database: TestDatabase
let opened: Database<{ note: { text: string } }>
let client: pg.PoolClient & { readonly connection: { readonly stream: Socket } }

beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
  opened = openDatabase({ url: database.url, schema: 'public', maxConnections: 1, onError: () => {} })
  await sql`create table note (text text primary key)`.execute(opened.db)
  client = (await opened.pool.connect()) as typeof client
  client.release()
})
afterAll(async () => {
  await opened.close()
  await database.drop()
})

/** How often the only connection is written to during some work. */
async function writesOf(work: () => Promise<unknown>): Promise<number> {
  const { stream } = client.connection
  const [one, several] = [vi.spyOn(stream, '_write'), vi.spyOn(stream, '_writev' as '_write')]
  try {
    await work()
    return one.mock.calls.length + several.mock.calls.length
  } finally {
    one.mockRestore()
    several.mockRestore()
  }
}

const insert = (db: Database<{ note: { text: string } }>['db'], text: string) =>
  db.insertInto('note').values({ text }).execute()

describe('a connection to Postgres', () => {
  test('sends a transaction’s beginning and its first statements in one write', async () => {
    const writes = await writesOf(() =>
      pipelined(opened.db, (tx) => Promise.all(['a', 'b', 'c'].map((text) => insert(tx, text)))),
    )
    expect(writes).toBe(2)
    expect(await opened.db.selectFrom('note').selectAll().execute()).toHaveLength(3)
  })

  test('sends an ordinary transaction’s beginning with its first statement', async () => {
    const writes = await writesOf(() =>
      opened.db.transaction().execute(async (tx) => {
        await insert(tx, 'd')
        await insert(tx, 'e')
      }),
    )
    expect(writes).toBe(3)
  })

  test('error: a transaction whose beginning is lost with its connection fails at its first statement', async () => {
    const ended = new Promise((resolve) => client.once('end', resolve))
    const lost = opened.db.transaction().execute((tx) => {
      client.connection.stream.destroy()
      return insert(tx, 'lost')
    })
    await expect(lost).rejects.toThrow(/terminated|not queryable|closed/i)
    await ended
    await insert(opened.db, 'after')
    const texts = (await opened.db.selectFrom('note').select('text').execute()).map(({ text }) => text)
    expect(texts.toSorted()).toEqual(['a', 'after', 'b', 'c', 'd', 'e'])
  })
})
