import { event } from '@callboard/contract'
import { askReplay, type EventTables, openDatabase, replayEnd } from '@callboard/store'
import { startTestServices, type TestDatabase, type TestServices, testDatabase, until } from '@callboard/testkit'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { discardDeadLetter, on, type ServiceModule, service } from '../src/index.ts'

const said = event({
  id: 'replay.said',
  version: 1,
  summary: 'A word was said',
  key: 'word',
  data: z.object({ word: z.string() }),
})

/** Only the service's processes have it: the one that requests has only the database. */
const Config = z.object({ GREETING: z.string() })

const hearer: ServiceModule = service<typeof Config, { heard: { text: string } }, object, object>({
  name: 'hearer',
  config: Config,
  migrations: {
    '0001-heard': {
      up: async (db: Kysely<unknown>) => void (await sql`create table heard (text text not null)`.execute(db)),
    },
  },
  operations: {},
  serves: {},
  consumes: [
    on(said, async ({ word }, { tx, config }) => {
      if (word === 'bad') throw new Error('it is bad')
      const { GREETING } = config as z.output<typeof Config>
      await sql`insert into heard (text) values (${`${GREETING} ${word}`})`.execute(tx)
    }),
  ],
})

let database: TestDatabase
let replicas: TestServices[]
let beside: ReturnType<typeof openDatabase<EventTables>>

beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
  // The smallest pool that a process may have.
  const env = { GREETING: 'good', DATABASE_POOL_SIZE: '2' }
  const start = () => startTestServices([hearer], { databaseUrl: database.url, env })
  replicas = [await start(), await start()]
  beside = openDatabase({ url: database.url, schema: 'hearer', maxConnections: 2, onError: () => {} })
})
afterAll(async () => {
  await beside.close()
  await Promise.all(replicas.map((replica) => replica.stop()))
  await database.drop()
})

const envelopeOf = (id: string, word: string) => ({
  ...{ id, name: 'replay.said.v1', key: word, sequence: 1, source: 'test' },
  ...{ occurredAt: '2026-11-24T00:00:00.000Z', data: { word } },
})
const giveUp = (id: string, word: string) =>
  database.query(
    `insert into hearer.dead_letter (consumer, event_id, name, reason, envelope, attempts)
     values ('replay.said.v1', $1, 'replay.said.v1', 'a bug', $2, 6)`,
    [id, envelopeOf(id, word)],
  )
const db = () => beside.db as unknown as Kysely<EventTables>
const ended = (id: string) => until('a process has taken it up', () => replayEnd(db(), id))
const kept = async () =>
  (await database.query<{ id: string }>('select event_id as id from hearer.dead_letter')).map(({ id }) => id)

test('a process of the service replays a requested event once, with its own settings', async () => {
  await giveUp('one', 'morning')
  await askReplay(db(), 'one', 'ada')
  expect(await ended('one')).toEqual({ failure: null })
  expect(await database.query('select text from hearer.heard')).toEqual([{ text: 'good morning' }])
  expect(await kept()).toEqual([])
  expect(await database.query('select by, verb, subject, outcome from hearer.operator_action')).toEqual([
    { by: 'ada', verb: 'dead-letters replay', subject: 'one', outcome: 'done' },
  ])
})

test('a replay that fails again ends with the consumer’s reason, and the event is kept', async () => {
  await giveUp('two', 'bad')
  await askReplay(db(), 'two', 'ada')
  expect(await ended('two')).toEqual({ failure: 'it is bad' })
  expect(await kept()).toEqual(['two'])
  await askReplay(db(), 'none', 'ada')
  expect(await ended('none')).toEqual({ failure: 'hearer keeps no event none.' })
})

test('a failed replay can be requested again', async () => {
  await database.query(`update hearer.dead_letter set envelope = jsonb_set(envelope, '{data,word}', '"evening"')`)
  await askReplay(db(), 'two', 'bo')
  await until('it is handled', async () => (await kept()).length === 0)
  expect(await ended('two')).toEqual({ failure: null })
})

test('a discarded event has no effect when the bus delivers it again, as a renewed log does', async () => {
  await giveUp('three', 'night')
  await discardDeadLetter(db(), { module: hearer, eventId: 'three', by: 'ada' }, 'it is past')
  await replicas[0]?.bus.events.publish(envelopeOf('three', 'night'))
  await replicas[0]?.bus.events.publish(envelopeOf('four', 'noon'))
  expect(await database.query("select text from hearer.heard where text in ('good night', 'good noon')")).toEqual([
    { text: 'good noon' },
  ])
})
