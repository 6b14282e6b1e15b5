import { randomBytes } from 'node:crypto'
import { type TestDatabase, testDatabase } from '@callboard/testkit'
import { type Kysely, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import {
  appendAction,
  appendEvents,
  type Database,
  type EventTables,
  grantSchemas,
  lackingRights,
  type Migrations,
  migrate,
  newestActions,
  openDatabase,
  pendingMigrations,
} from '../src/index.ts'

/** Roles belong to the server, so each run has its own. */
const run = randomBytes(4).toString('hex')
const [OWNER, ONE, TWO] = [`owner_${run}`, `one_${run}`, `two_${run}`]
const GRANTS = [
  { schema: 'one', role: ONE },
  { schema: 'two', role: TWO },
]
const DENIED = '42501'

const create = (text: string) => ({ up: async (db: Kysely<unknown>) => void (await sql.raw(text).execute(db)) })
const first: Migrations = {
  '0001-note': create('create table note (id bigint generated always as identity primary key, text text not null)'),
  '0002-ticket': create('create sequence ticket'),
  '0003-loud': create('create function loud(text text) returns text language sql as $$ select upper(text) $$'),
}

let database: TestDatabase
const opened: Database<EventTables>[] = []

function open(role: string, schema: string): Database<EventTables> {
  const url = new URL(database.url)
  url.username = role
  const one = openDatabase<EventTables>({ url: url.href, schema, maxConnections: 2, onError: () => {} })
  opened.push(one)
  return one
}
const bare = ({ db }: Database<EventTables>) => db as unknown as Kysely<never>
const ownerOf = (schema: string) => bare(open(OWNER, schema))

/** Postgres's response to a statement: `ok`, or its code. */
const asks = (db: Kysely<never>, text: string) =>
  sql
    .raw(text)
    .execute(db)
    .then(
      () => 'ok',
      (error: { code?: string }) => error.code,
    )

beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
  for (const role of [OWNER, ONE, TWO]) await database.query(`create role ${role} login`)
  const name = new URL(database.url).pathname.slice(1)
  await database.query(`grant create on database ${name} to ${OWNER}`)
  await database.query(`revoke temporary on database ${name} from public`)
  for (const { schema } of GRANTS) await migrate(ownerOf(schema), schema, first)
  await grantSchemas(ownerOf('one'), GRANTS)
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()))
})
afterAll(async () => {
  for (const role of [OWNER, ONE, TWO]) {
    await database.query(`drop owned by ${role} cascade`)
    await database.query(`drop role ${role}`)
  }
  await database.drop()
})

test('a service’s role uses the rows, sequences and functions of its own schema, and sends notifications', async () => {
  const { db } = open(ONE, 'one')
  await db.transaction().execute(async (tx) => {
    await sql`insert into note (text) values (loud('hello'))`.execute(tx)
    await sql`update note set text = text where id = nextval('ticket')`.execute(tx)
    await appendEvents({ name: 'a.b.v1', occurredAt: new Date(), events: [{ key: 'k', data: {} }] }).execute(tx)
  })
  const { rows } = await sql`delete from note returning text`.execute(db)
  expect(rows).toEqual([{ text: 'HELLO' }])
  await sql`truncate note`.execute(db)
})

test('the role reads and writes nothing in another schema', async () => {
  const two = bare(open(TWO, 'two'))
  for (const text of [
    'select * from one.note',
    'insert into one.note (text) values (1)',
    'select one.loud(1::text)',
    "select nextval('one.ticket')",
    'select name from one.kysely_migration',
    'create table one.mine (n integer)',
  ])
    expect([text, await asks(two, text)]).toEqual([text, DENIED])
})

test('the role cannot create, alter or drop anything in its own schema, in public or elsewhere', async () => {
  const one = bare(open(ONE, 'one'))
  for (const text of [
    'create table mine (n integer)',
    'alter table note add column more text',
    'drop table note',
    'create index on note (text)',
    'alter table operator_action disable trigger all',
    "create or replace function loud(text text) returns text language sql as $$ select '' $$",
    'drop schema one cascade',
    'create schema mine',
    'create table public.mine (n integer)',
    'create temporary table mine (n integer)',
  ])
    expect([text, await asks(one, text)]).toEqual([text, DENIED])
})

test('the role reads past migrations and adds operator actions, but can change neither', async () => {
  const database = open(ONE, 'one')
  const one = bare(database)
  expect(await pendingMigrations(one, 'one', first)).toEqual([])
  expect(await pendingMigrations(one, 'one', { ...first, '0009-next': create('select 1') })).toEqual(['0009-next'])
  const action = { by: 'x', verb: 'look', subject: 'y', arguments: {} }
  await appendAction(database.db, action, { outcome: 'done' })
  expect(await newestActions(database.db, { limit: 5 })).toMatchObject([action])
  for (const text of [
    "insert into kysely_migration (name, timestamp) values ('0009-next', '')",
    'delete from kysely_migration',
    'select * from kysely_migration_lock',
    "update operator_action set by = 'z'",
    'delete from operator_action',
  ])
    expect([text, await asks(one, text)]).toEqual([text, DENIED])
})

test('tables of a later migration are usable at once, and still after the next grant', async () => {
  const later = { ...first, '0004-later': create('create table later (id serial primary key)') }
  await migrate(ownerOf('one'), 'one', later)
  const one = bare(open(ONE, 'one'))
  expect(await asks(one, 'insert into later default values')).toBe('ok')
  await Promise.all([grantSchemas(ownerOf('one'), GRANTS), grantSchemas(ownerOf('two'), GRANTS)])
  expect(await asks(one, 'insert into later default values')).toBe('ok')
  expect(await asks(bare(open(TWO, 'two')), 'select * from one.later')).toBe(DENIED)
})

test('a right granted by hand in another schema is revoked by the next grant', async () => {
  const owner = ownerOf('one')
  await sql.raw(`grant usage on schema one to "${TWO}"; grant select on one.note to "${TWO}"`).execute(owner)
  const two = bare(open(TWO, 'two'))
  expect(await asks(two, 'select * from one.note')).toBe('ok')
  await grantSchemas(owner, GRANTS)
  expect(await asks(two, 'select * from one.note')).toBe(DENIED)
})

test('missing rights are named; the owner of a schema lacks none', async () => {
  const own = [{ schema: 'two', migrations: first }]
  const [owner, two] = [ownerOf('two'), bare(open(TWO, 'two'))]
  expect(await lackingRights(two, own)).toEqual([])
  await sql
    .raw(`revoke insert, delete on two.note from "${TWO}"; revoke usage on sequence two.ticket from "${TWO}"`)
    .execute(owner)
  expect(await lackingRights(two, own)).toEqual([
    `role ${TWO} lacks insert, delete on two.note`,
    `role ${TWO} lacks usage on two.ticket`,
  ])
  await sql.raw(`revoke usage on schema two from "${TWO}"`).execute(owner)
  expect(await lackingRights(two, own)).toEqual([`role ${TWO} lacks usage on schema two`])
  expect(await lackingRights(owner, own)).toEqual([])
  expect(await lackingRights(two, [{ schema: 'absent', migrations: first }])).toEqual([])
  await grantSchemas(owner, GRANTS)
  expect(await lackingRights(two, own)).toEqual([])
})

test('an old process does not miss rights on the tables of a newer version', async () => {
  const newer = {
    ...first,
    '0005-ledger': create(`create table ledger (n integer); revoke delete on ledger from "${TWO}"`),
  }
  await migrate(ownerOf('two'), 'two', newer)
  const two = bare(open(TWO, 'two'))
  expect(await lackingRights(two, [{ schema: 'two', migrations: first }])).toEqual([])
  expect(await lackingRights(two, [{ schema: 'two', migrations: newer }])).toEqual([
    `role ${TWO} lacks delete on two.ledger`,
  ])
})

test('a role that is absent or has every right anyway is refused by name, and nothing is granted', async () => {
  const owner = ownerOf('one')
  const absent = [{ schema: 'one', role: `nobody_${run}` }]
  await expect(grantSchemas(owner, absent)).rejects.toThrow(`Postgres has no role nobody_${run}`)
  await expect(grantSchemas(owner, [{ schema: 'one', role: OWNER }])).rejects.toThrow(`${OWNER} may do everything`)
  await database.query(`grant ${OWNER} to ${TWO}`)
  await expect(grantSchemas(owner, GRANTS)).rejects.toThrow(`${TWO} may do everything`)
  await database.query(`revoke ${OWNER} from ${TWO}`)
  await grantSchemas(owner, GRANTS)
})
