import { event, eventName } from '@callboard/contract'
import { startTestServices, type TestDatabase, testDatabase, until } from '@callboard/testkit'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { on, type ServiceModule, service } from '../src/index.ts'

const seen = event({
  id: 'tide.seen',
  version: 1,
  summary: 'A tide was measured',
  key: 'port',
  data: z.object({ port: z.string() }),
})

const gauge: ServiceModule = service<z.ZodObject, Record<never, never>, object, object>({
  name: 'gauge',
  config: z.object({}),
  migrations: {},
  operations: {},
  serves: {},
  publishes: [seen],
  supersedes: [{ name: eventName(seen) }],
  consumes: [on(seen, async () => {})],
})

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
})
afterAll(() => database.drop())

const start = () => startTestServices([gauge], { databaseUrl: database.url, env: { NATS_STREAM_MAX_AGE_DAYS: '3' } })

test('processes that start delete superseded events that the bus has dropped, and claims a month older', async () => {
  await (await start()).stop()
  for (const [id, daysAgo] of Object.entries({ first: 5, second: 4, third: 2, last: 1 })) {
    await database.query(
      `insert into gauge.outbox (id, name, key, occurred_at, published_at, data)
       select $1, 'tide.seen.v1', 'Brest', moment, moment, '{"port": "Brest"}' from (select now() - make_interval(days => $2) as moment) one`,
      [id, daysAgo],
    )
  }
  for (const [id, daysAgo] of Object.entries({ forgotten: 34, kept: 32 })) {
    await database.query(
      `insert into gauge.inbox (consumer, event_id, handled_at)
       values ('tide.seen.v1', $1, now() - make_interval(days => $2))`,
      [id, daysAgo],
    )
  }
  const replicas = await Promise.all([start(), start()])
  const idsOf = async (column: string, table: string) =>
    (await database.query<{ id: string }>(`select ${column} as id from gauge.${table} order by 1`)).map(({ id }) => id)
  await until('the claim is forgotten', async () => (await idsOf('event_id', 'inbox')).length === 1)
  expect(await idsOf('event_id', 'inbox')).toEqual(['kept'])
  expect(await idsOf('id', 'outbox')).toEqual(['last', 'third'])
  await Promise.all(replicas.map((replica) => replica.stop()))
})
