import { testDatabase } from '@callboard/testkit'
import { refuse } from '@callboard/values'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { audited, type Database, type EventTables, migrate, newestActions, openDatabase } from '../src/index.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
let store: Database<EventTables>
beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
  store = openDatabase<EventTables>({ url: database.url, schema: 'acts', maxConnections: 3, onError: () => {} })
  await migrate(store.db as unknown as Kysely<never>, 'acts', {
    '0001-thing': { up: async (db: Kysely<unknown>) => void (await sql`create table thing (n integer)`.execute(db)) },
  })
})
afterAll(async () => {
  await store?.close()
  await database?.drop()
})

const action = (verb: string) => ({ by: 'ada', verb, subject: 'thing', arguments: { n: 1 } })
const things = () => database.query('select n from acts.thing')
const newest = async () => (await newestActions(store.db, { limit: 1 }))[0]

test('a change is recorded: who, what, when, and what the operator saw', async () => {
  const result = await audited(store.db, action('add'), async ({ tx, note }) => {
    note({ before: 0 })
    await sql`insert into thing values (1)`.execute(tx)
    return 'added'
  })
  expect(result).toBe('added')
  expect(await newest()).toMatchObject({ ...action('add'), outcome: 'done', reason: null, saw: { before: 0 } })
  expect((await newest())?.at).toBeInstanceOf(Date)
})

test('a refusal is recorded with its reason', async () => {
  const refusal = await audited(store.db, action('remove'), async () =>
    refuse('not_found', { message: 'There is none' }),
  )
  expect(refusal).toMatchObject({ refusal: 'not_found' })
  expect(await newest()).toMatchObject({ verb: 'remove', outcome: 'refused', reason: 'not_found. There is none' })
})

test('a failed action changes nothing, is recorded as failed, and still throws', async () => {
  const before = await things()
  const failing = audited(store.db, action('break'), async ({ tx }) => {
    await sql`insert into thing values (2)`.execute(tx)
    throw new Error('the roof fell in')
  })
  await expect(failing).rejects.toThrow('the roof fell in')
  expect(await things()).toEqual(before)
  expect(await newest()).toMatchObject({ verb: 'break', outcome: 'failed', reason: 'the roof fell in' })
})

test.each([
  `update acts.operator_action set by = 'eve'`,
  'delete from acts.operator_action',
  'truncate acts.operator_action',
])('the database refuses to change the record: %s', async (statement) => {
  await expect(database.query(statement)).rejects.toThrow('operator_action is append-only')
})

test('actions are listed newest first, and for one subject on request', async () => {
  await audited(store.db, { ...action('look after'), subject: 'other' }, async () => null)
  const all = await newestActions(store.db, { limit: 10 })
  expect(all.map(({ verb }) => verb)).toEqual(['look after', 'break', 'remove', 'add'])
  expect(await newestActions(store.db, { subject: 'other', limit: 10 })).toHaveLength(1)
  expect(await newestActions(store.db, { limit: 2 })).toHaveLength(2)
})
