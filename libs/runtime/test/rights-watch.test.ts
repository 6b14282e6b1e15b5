import { event } from '@callboard/contract'
import { startTestServices, type TestDatabase, type TestServices, testDatabase, until } from '@callboard/testkit'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { every, on, type ServiceContext, type ServiceModule, service } from '../src/index.ts'

/** The work of its job; the watch is notified when it fails. */
let work = async (_: ServiceContext) => {}

const happened = event({
  id: 'keeper.happened',
  version: 1,
  summary: 'Something happened',
  key: 'key',
  data: z.object({ key: z.string() }),
})

const keeper: ServiceModule = service<z.ZodObject, object, object, object>({
  name: 'keeper',
  config: z.object({}),
  migrations: {
    '0001-note': { up: async (db) => void (await sql`create table note (key text)`.execute(db)) },
  },
  operations: {},
  serves: {},
  publishes: [happened],
  consumes: [
    on(happened, async ({ key }, { tx }) => void (await sql`insert into note (key) values (${key})`.execute(tx))),
  ],
  jobs: [every('work', 20, (ctx) => work(ctx))],
})

let database: TestDatabase
let services: TestServices
const role = `keeper_${process.pid}`

beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
  const owner = await startTestServices([keeper], { databaseUrl: database.url })
  await owner.stop()
  await database.query(`create role ${role} login password 'secret'`)
  await database.query(`grant usage on schema keeper to ${role}`)
  await database.query(`grant select, insert, update, delete, truncate on all tables in schema keeper to ${role}`)
  await database.query(`grant usage on all sequences in schema keeper to ${role}`)
  const url = new URL(database.url)
  url.username = role
  url.password = 'secret'
  services = await startTestServices([keeper], { databaseUrl: url.href })
})
afterAll(async () => {
  await services.stop()
  await database.query(`drop owned by ${role}`)
  await database.query(`drop role ${role}`)
  await database.drop()
})

const ready = async () => {
  const answer = await fetch(`http://127.0.0.1:${services.adminPort}/readyz`)
  return { status: answer.status, said: await answer.text() }
}

test('rights are checked after Postgres refuses one, and on each poll until none is missing', async () => {
  expect(await ready()).toEqual({ status: 200, said: 'ok\n' })
  await database.query(`revoke insert on keeper.inbox from ${role}`)
  // A result without missing rights is cached between calls.
  expect((await ready()).status).toBe(200)

  work = async (ctx) =>
    void (await sql`insert into inbox (consumer, event_id) values ('a', gen_random_uuid()::text)`.execute(ctx.db))
  const lacking = await until('it says what is lacking', async () => {
    const now = await ready()
    return now.status === 503 && now
  })
  expect(lacking.said).toBe(`postgres: role ${role} lacks insert on keeper.inbox\n`)
  expect((await ready()).status).toBe(503)

  await database.query(`grant insert on keeper.inbox to ${role}`)
  expect(await ready()).toEqual({ status: 200, said: 'ok\n' })
})

test('an event that meets a lacking right is kept, and handled once the right is granted', async () => {
  await database.query(`revoke insert on keeper.note from ${role}`)
  let isPublished = false
  work = async (ctx) => {
    if (isPublished) return
    isPublished = true
    await ctx.db.transaction().execute((tx) => ctx.publish(tx, happened, { key: 'one' }))
  }
  // Longer than all attempts at an event take.
  await until('it was tried often enough to be given up', async () => (await ready()).status === 503)
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(await database.query('select 1 from keeper.dead_letter')).toEqual([])
  await database.query(`grant insert on keeper.note to ${role}`)
  await until('it is handled', async () => (await database.query('select 1 from keeper.note')).length === 1)
})
