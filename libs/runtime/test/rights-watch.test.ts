import { startTestServices, type TestDatabase, type TestServices, testDatabase, until } from '@callboard/testkit'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { every, type ServiceContext, type ServiceModule, service } from '../src/index.ts'

/** The work of its job; the watch is notified when it fails. */
let work = async (_: ServiceContext) => {}

const keeper: ServiceModule = service<z.ZodObject, object, object, object>({
  name: 'keeper',
  config: z.object({}),
  migrations: {},
  operations: {},
  serves: {},
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
