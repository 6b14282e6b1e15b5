import { type TestDatabase, testDatabase } from '@callboard/testkit'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { type Database, openDatabase } from '../src/database.ts'

let database: TestDatabase
let opened: Database<{ note: { text: string } }>

beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
  opened = openDatabase({ url: database.url, schema: 'public', maxConnections: 1, onError: () => {} })
  await sql`create table note (text text primary key)`.execute(opened.db)
})
afterAll(async () => {
  await opened.close()
  await database.drop()
})
beforeEach(() => sql`truncate note`.execute(opened.db))

const notes = async () => (await opened.db.selectFrom('note').select('text').execute()).map(({ text }) => text)

describe('a transaction', () => {
  test('keeps nothing of what still waits for its turn when its work fails', async () => {
    const waiting: Promise<unknown>[] = []
    const work = opened.db.transaction().execute((tx) => {
      const slow = sql`select pg_sleep(0.1)`.execute(tx)
      const late = ['a', 'b', 'c'].map((text) => tx.insertInto('note').values({ text }).execute())
      waiting.push(slow, ...late)
      return Promise.all([Promise.reject(new Error('changed its mind')), ...waiting])
    })
    await expect(work).rejects.toThrow('changed its mind')
    const ends = await Promise.allSettled(waiting)
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected'])
    expect(await notes()).toEqual([])
  })

  test('keeps nothing of what nothing awaits and still waits for its turn when it commits', async () => {
    let waiting: Promise<PromiseSettledResult<unknown>[]> | undefined
    await opened.db.transaction().execute(async (tx) => {
      await tx.insertInto('note').values({ text: 'a' }).execute()
      const slow = sql`select pg_sleep(0.1)`.execute(tx)
      waiting = Promise.allSettled([slow, tx.insertInto('note').values({ text: 'late' }).execute()])
    })
    expect((await waiting)?.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(await notes()).toEqual(['a'])
  })

  test('leaves its connection to the next one', async () => {
    const failing = opened.db.transaction().execute(() => Promise.reject(new Error('changed its mind')))
    await expect(failing).rejects.toThrow('changed its mind')
    await opened.db.transaction().execute((tx) => tx.insertInto('note').values({ text: 'a' }).execute())
    await opened.db.insertInto('note').values({ text: 'b' }).execute()
    expect(await notes()).toEqual(['a', 'b'])
  })
})
