import { type TestDatabase, testDatabase, testPool, until } from '@callboard/testkit'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { Notifications, type WakeCause } from '../src/index.ts'

const CHANNEL = 'thing-changed'

let database: TestDatabase
let elsewhere: TestDatabase
const pools: pg.Pool[] = []
const listening: Notifications[] = []
const poolOf = ({ url }: TestDatabase) => {
  const pool = testPool(url, { max: 1, application_name: 'other-process' })
  pools.push(pool)
  return pool
}

beforeAll(async () => {
  const url = inject('postgresUrl')
  ;[database, elsewhere] = [await testDatabase(url), await testDatabase(url)]
})
afterEach(async () => {
  await Promise.all(listening.splice(0).map((one) => one.stop()))
})
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()))
  await Promise.all([database.drop(), elsewhere.drop()])
})

function listen(over: TestDatabase = database, proofMs = 60_000) {
  const errors: Error[] = []
  const made = new Notifications({
    url: database.url,
    pool: poolOf(over),
    onError: (error) => errors.push(error),
    proofMs,
  })
  const causes: WakeCause[] = []
  made.subscribe(CHANNEL, (cause) => causes.push(cause))
  made.start()
  listening.push(made)
  return { made, causes, errors }
}

const notify = () => database.query(`select pg_notify('${CHANNEL}', '')`)
const cutOff = () =>
  database.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'callboard-listener'`)

test('a commit of another process wakes the subscribers of its channel, and no others', async () => {
  const { made, causes } = listen()
  const others: WakeCause[] = []
  made.subscribe('another-thing', (cause) => others.push(cause))
  await until('notifications arrive', () => made.arrive)
  await notify()
  await until('it is woken', () => causes.includes('notified'))
  expect(others).not.toContain('notified')
})

test('all subscribers of a process share one connection', async () => {
  const { made, causes } = listen()
  await until('notifications arrive', () => made.arrive)
  const more = Array.from({ length: 20 }, (_, at) => made.subscribe(`channel-${at}`, () => {}))
  await notify()
  await until('it is woken', () => causes.includes('notified'))
  const connections = await database.query(
    `select 1 from pg_stat_activity where datname = current_database() and application_name = 'callboard-listener'`,
  )
  expect(connections).toHaveLength(1)
  for (const end of more) end()
})

test('a late subscriber polls once it listens, so earlier commits are not missed', async () => {
  const { made } = listen()
  await until('notifications arrive', () => made.arrive)
  const late: WakeCause[] = []
  made.subscribe('late', (cause) => late.push(cause))
  await until('it looks', () => late.length === 1)
  await database.query(`select pg_notify('late', '')`)
  await until('it is woken', () => late.length === 2)
  expect(late).toEqual(['look', 'notified'])
})

test('a lost connection comes back and every subscriber polls at once, so no commit is missed', async () => {
  const { made, causes } = listen()
  await until('notifications arrive', () => made.arrive)
  causes.length = 0
  await cutOff()
  await until('it is known to be lost', () => !made.arrive)
  expect(causes).toEqual(['look'])
  await notify()
  await until('notifications arrive again', () => made.arrive)
  expect(causes).toContain('look')
  causes.length = 0
  await notify()
  await until('it is woken', () => causes.includes('notified'))
})

test('when notifications do not arrive, as behind a transaction pooler, this is detected and reported once', async () => {
  // A notification in another database does not arrive in this one, as if through such a pooler.
  const { made, errors } = listen(elsewhere)
  await until('it is said', () => errors.length === 1, 20_000)
  expect(made.arrive).toBe(false)
  expect(errors[0]?.name).toBe('NothingArrives')
})

test('a stop works before there is a connection', async () => {
  const { made } = listen()
  await made.stop()
  expect(made.arrive).toBe(false)
})

test('a stop before the first notification returns leaves no timer that keeps the process alive', async () => {
  const asked = Promise.withResolvers<void>()
  const silent = { query: async () => asked.resolve() } as unknown as pg.Pool
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length
  const before = timers()
  const made = new Notifications({ url: database.url, pool: silent, onError: () => {} })
  made.start()
  await asked.promise
  await made.stop()
  expect(timers()).toBeLessThanOrEqual(before)
})
