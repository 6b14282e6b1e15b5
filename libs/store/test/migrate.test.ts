import { testDatabase, until } from '@callboard/testkit'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  adoptLog,
  appendEvents,
  type Database,
  type EventTables,
  migrate,
  openDatabase,
  pendingMigrations,
} from '../src/index.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
const opened: Database<EventTables>[] = []

function open(schema: string): Database<EventTables> {
  const one = openDatabase<EventTables>({ url: database.url, schema, maxConnections: 3, onError: () => {} })
  opened.push(one)
  return one
}
const table = (name: string) => ({
  up: async (db: Kysely<unknown>) => void (await sql`create table ${sql.id(name)} (n integer)`.execute(db)),
})
const older = { '0001-first': table('first') }
const newer = { ...older, '0002-second': table('second') }
const bare = ({ db }: Database<EventTables>) => db as unknown as Kysely<never>

beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
})
afterAll(async () => {
  await Promise.all(opened.map((one) => one.close()))
  await database.drop()
})

test('an old process starts on a schema that a newer one has migrated further', async () => {
  const store = open('steps')
  expect(await pendingMigrations(bare(store), 'steps', older)).toContain('0001-first')
  await migrate(bare(store), 'steps', older)
  expect(await pendingMigrations(bare(store), 'steps', newer)).toEqual(['0002-second'])
  await migrate(bare(store), 'steps', newer)
  await migrate(bare(store), 'steps', older)
  expect(await pendingMigrations(bare(store), 'steps', newer)).toEqual([])
})

test('a migration may take longer than a statement of a request, but waits no longer for a lock', async () => {
  const store = open('patient')
  const noting = {
    '0001-note': {
      up: async (db: Kysely<unknown>) =>
        void (await sql`
          create table noted as
          select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`.execute(
          db,
        )),
    },
  }
  await migrate(bare(store), 'patient', noting)
  expect(await database.query('select * from patient.noted')).toEqual([{ statement: '0', lock: '15s' }])
  const { rows } = await store.pool.query('show statement_timeout')
  expect(rows).toEqual([{ statement_timeout: '15s' }])
})

test('a migration keeps no lock of the one before it, with which requests would deadlock', async () => {
  const store = open('used')
  await migrate(bare(store), 'used', newer)
  const column = (name: string) => ({
    up: async (db: Kysely<unknown>) => void (await sql`alter table ${sql.id(name)} add column m integer`.execute(db)),
  })
  const newest = { ...newer, '0003-first': column('first'), '0004-second': column('second') }
  const request = await store.pool.connect()
  await request.query('begin')
  await request.query('insert into second values (1)')
  const migrated = migrate(bare(store), 'used', newest)
  await until('a migration waits for the request', async () => {
    const waiting = `select from pg_stat_activity where application_name = 'callboard-used' and wait_event_type = 'Lock'`
    return (await database.query(waiting)).length > 0
  })
  await request.query('insert into first values (1)')
  await request.query('commit')
  request.release()
  await migrated
  expect(await pendingMigrations(bare(store), 'used', newest)).toEqual([])
})

test('a migration killed half-way leaves nothing, and the next attempt completes it', async () => {
  const store = open('halfway')
  const slow = {
    '0001-slow': {
      up: async (db: Kysely<unknown>) => {
        await sql`create table half (n integer)`.execute(db)
        await sql`select pg_sleep(30)`.execute(db)
      },
    },
  }
  const cut = migrate(bare(store), 'halfway', slow).catch((error: unknown) => error)
  await until('it sleeps', async () => {
    const rows = await database.query<{ pid: number }>(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'callboard-halfway' and query like '%pg_sleep%' and state = 'active' and pid <> pg_backend_pid()`,
    )
    return rows.length > 0
  })
  expect(await cut).toMatchObject({ message: expect.stringContaining('Migration of schema halfway failed') })
  expect(await pendingMigrations(bare(store), 'halfway', slow)).toContain('0001-slow')
  await migrate(bare(store), 'halfway', { '0001-slow': table('half') })
  expect(await database.query('select * from halfway.half')).toEqual([])
})

test('a new log receives what the old one would still hold, once for all replicas', async () => {
  const replicas = [open('logs'), open('logs')]
  const [store] = replicas
  if (!store) throw new Error('no store')
  await migrate(bare(store), 'logs', {})
  const at = (days: number) => new Date(Date.now() - days * 86_400_000)
  await store.db.transaction().execute(async (tx) => {
    for (const days of [1, 13, 15]) {
      const events = [{ key: 'k', data: { days } }]
      await appendEvents({ name: 'thing.happened.v1', occurredAt: at(days), events }).execute(tx)
    }
  })
  await database.query('update logs.outbox set published_at = now()')
  const adopt = async (identity: string) =>
    (await Promise.all(replicas.map(({ db }) => adoptLog(db, identity, 14)))).reduce((sum, n) => sum + n, 0)

  expect(await adopt('first')).toBe(0)
  expect(await adopt('first')).toBe(0)
  expect(await adopt('second')).toBe(2)
  const waiting = await database.query('select data from logs.outbox where published_at is null order by sequence')
  expect(waiting).toEqual([{ data: { days: 1 } }, { data: { days: 13 } }])
})
