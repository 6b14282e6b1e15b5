import { rmSync } from 'node:fs'
import { type TestDatabase, testDatabase, until } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import { findPgBouncer, findPreparingPgBouncer, type PgBouncer, startPgBouncer } from '@callboard/testkit/servers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  appendEvents,
  claimEvent,
  type Database,
  type EventTables,
  leadershipTable,
  markDatabase,
  memoryCounters,
  migrate,
  Notifications,
  OutboxRelay,
  openDatabase,
  pipelined,
  tryLead,
} from '../src/index.ts'

const found = await findPgBouncer()
const program = 'file' in found ? found : undefined
const whyNot = 'closed' in found ? ` (not run: ${found.closed})` : ''

let folder: string
let database: TestDatabase
let pooler: PgBouncer
let stores: Record<'one' | 'other', Database<EventTables>>
let notifications: Notifications

const open = (schema: string) =>
  openDatabase<EventTables>({
    url: pooler.through(database.url),
    pooler: { directUrl: database.url, prepares: false },
    schema,
    maxConnections: 6,
    onError: () => {},
  })

/** The sessions of the pooler: two, so that services constantly take them from each other. */
const SESSIONS = 2

beforeAll(async () => {
  if (!program) return
  folder = temporaryFolder('callboard-pgbouncer-')
  database = await testDatabase(inject('postgresUrl'))
  pooler = await startPgBouncer(program, { folder, postgresUrl: inject('postgresUrl'), poolSize: SESSIONS })
  stores = { one: open('one'), other: open('other') }
  const { one, other } = stores
  const migrateOnce = ({ direct, schema }: Database<EventTables>) =>
    migrate(direct as never, schema, { '0001-leadership': leadershipTable })
  await Promise.all([migrateOnce(one), migrateOnce(one), migrateOnce(other)])
  notifications = new Notifications({ url: database.url, pool: one.pool, onError: () => {} })
  notifications.start()
})
afterAll(async () => {
  if (!program) return
  await notifications.stop()
  await Promise.all(Object.values(stores).map((store) => store.close()))
  await pooler.stop()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const schemaSeen = async ({ pool }: Database<EventTables>): Promise<string> =>
  (await pool.query('select current_schema() as schema, $1::int as n', [1])).rows[0].schema

describe.skipIf(!program)(`behind a PgBouncer that pools transactions${whyNot}`, () => {
  test('each statement has its service’s schema and timeouts, whichever session runs it', async () => {
    const asked = Array.from({ length: 60 }, (_, n) => schemaSeen(n % 2 ? stores.one : stores.other))
    expect(await Promise.all(asked)).toEqual(asked.map((_, n) => (n % 2 ? 'one' : 'other')))
    const { rows } = await stores.one.pool.query(
      `select current_setting('statement_timeout') as statement,
              current_setting('idle_in_transaction_session_timeout') as idle`,
    )
    expect(rows).toEqual([{ statement: '15s', idle: '30s' }])
  })

  test('no service leaves anything behind in a session for the next one', async () => {
    await Promise.all(Array.from({ length: 8 }, () => schemaSeen(stores.one)))
    const bare = await database.query(
      `select count(*)::int as sessions from pg_stat_activity where datname = current_database()
        and application_name like 'callboard-%' and state = 'idle in transaction'`,
    )
    expect(bare).toEqual([{ sessions: 0 }])
    const { rows } = await stores.other.pool.query(
      `select to_regclass('outbox')::oid = 'other.outbox'::regclass::oid as own`,
    )
    expect(rows).toEqual([{ own: true }])
  })

  test('a single statement returns once committed; a failed one says why, and the connection goes on', async () => {
    const { pool } = stores.one
    await pool.query(`create table pair (id int primary key, of int references pair deferrable initially deferred)`)
    await expect(pool.query('insert into pair values ($1, $2)', [1, 7])).rejects.toMatchObject({ code: '23503' })
    await expect(pool.query('select 1 / $1::int', [0])).rejects.toMatchObject({ code: '22012' })
    await expect(pool.query('no statement')).rejects.toMatchObject({ code: '42601' })
    await pool.query('insert into pair values ($1, $2)', [1, 1])
    expect((await pool.query('select count(*)::int as pairs from pair')).rows).toEqual([{ pairs: 1 }])
  })

  test('transactions are atomic, including those that send their statements together', async () => {
    const { db } = stores.one
    const say = (id: string, fails: boolean) =>
      pipelined(db, async (tx) => {
        const claims = [claimEvent(tx as never, 'reader', id), claimEvent(tx as never, 'writer', id)]
        expect(await Promise.all(claims)).toEqual([true, true])
        if (fails) throw new Error('on purpose')
      })
    await expect(say('a', true)).rejects.toThrow('on purpose')
    await Promise.all(Array.from({ length: 20 }, (_, n) => say(`b${n}`, false)))
    const inside = db
      .transaction()
      .setIsolationLevel('serializable')
      .execute(async (tx) => {
        await sql`savepoint before`.execute(tx)
        await sql`insert into inbox (consumer, event_id) values ('kept', 'not')`.execute(tx)
        await sql`rollback to savepoint before`.execute(tx)
        return sql<{ level: string; schema: string }>`
        select current_setting('transaction_isolation') as level, current_schema() as schema`.execute(tx)
      })
    expect((await inside).rows).toEqual([{ level: 'serializable', schema: 'one' }])
    expect(await database.query('select count(*)::int as claims from one.inbox')).toEqual([{ claims: 40 }])
  })

  test('a relay is notified and leads on a direct session past the pooler, and so does a leader', async () => {
    const { one } = stores
    await until('notifications arrive', () => notifications.arrive)
    const published: string[] = []
    const relay = new OutboxRelay({
      ...{ sessions: one.sessions, schema: one.schema, db: one.db, notifications, sweepMs: 600_000 },
      publish: async (events) => void published.push(...events.map(({ key }) => key)),
      onError: () => {},
    })
    relay.start()
    for (const key of ['first', 'second']) {
      await one.db
        .transaction()
        .execute((tx) =>
          appendEvents({ name: 'thing.happened.v1', occurredAt: new Date(), events: [{ key, data: {} }] }).execute(tx),
        )
      await until('it is published', () => published.includes(key))
    }
    const term = await tryLead(one.sessions, 'chain')
    expect(await tryLead(stores.one.sessions, 'chain')).toBeUndefined()
    expect(term?.token).toBe(1)
    await term?.resign()
    await relay.stop()
  })

  test('no statement runs on a database that stands earlier than its process has seen, in an open session', async () => {
    const { one } = stores
    const counters = memoryCounters({ now: () => Date.now() })
    await markDatabase(one, counters)
    expect(await schemaSeen(one)).toBe('one')
    await database.query('update one.database_mark set beat = 0')
    await expect(schemaSeen(one)).rejects.toMatchObject({ name: 'DatabaseRestored', code: '57P03' })
    const written = one.db.transaction().execute((tx) => claimEvent(tx as never, 'reader', 'c'))
    await expect(written).rejects.toMatchObject({ name: 'DatabaseRestored' })
    expect(await database.query(`select 1 from one.inbox where event_id = 'c'`)).toEqual([])
    await database.query('update one.database_mark set beat = 1')
    expect(await schemaSeen(one)).toBe('one')
  })

  test('a restarted pooler is found again', async () => {
    const { one } = stores
    await pooler.stop()
    await expect(one.pool.query('select 1')).rejects.toThrow()
    if (program)
      pooler = await startPgBouncer(program, { folder, postgresUrl: inject('postgresUrl'), port: pooler.port })
    expect(await schemaSeen(one)).toBe('one')
  })
})

const preparing = await findPreparingPgBouncer()
const whyNotPreparing = 'closed' in preparing ? ` (not run: ${preparing.closed})` : ''

describe.skipIf('closed' in preparing)(`behind a PgBouncer that keeps prepared statements${whyNotPreparing}`, () => {
  let place: string
  let tables: TestDatabase
  let bouncer: PgBouncer
  const stores: Database<EventTables>[] = []
  /** A replica's pool, with more connections than the pooler has sessions. */
  const replica = (schema: string) => {
    const url = bouncer.through(tables.url)
    const settings = { url, pooler: { directUrl: tables.url, prepares: true }, maxConnections: 6, onError: () => {} }
    const store = openDatabase<EventTables>({ ...settings, schema })
    stores.push(store)
    return store
  }

  beforeAll(async () => {
    if ('closed' in preparing) return
    place = temporaryFolder('callboard-pgbouncer-')
    tables = await testDatabase(inject('postgresUrl'))
    const postgresUrl = inject('postgresUrl')
    bouncer = await startPgBouncer(preparing, {
      folder: place,
      postgresUrl,
      poolSize: SESSIONS,
      preparedStatements: 100,
    })
    for (const schema of ['one', 'other']) await migrate(replica(schema).direct as never, schema, {})
  })
  afterAll(async () => {
    if ('closed' in preparing) return
    await Promise.all(stores.map((store) => store.close()))
    await bouncer.stop()
    await tables.drop()
    rmSync(place, { recursive: true, force: true })
  })

  test('repeated statements are prepared in shared sessions, each for its own schema', async () => {
    const [one, other] = [replica('one'), replica('other')]
    const text = 'select current_schema() as schema, $1::int as kept_by_pooler'
    const asked = Array.from({ length: 120 }, (_, n) => (n % 2 ? one : other).pool.query(text, [n]))
    const rows = (await Promise.all(asked)).map((answer) => answer.rows[0])
    expect(rows).toEqual(asked.map((_, n) => ({ schema: n % 2 ? 'one' : 'other', kept_by_pooler: n })))
    const kept = await one.pool.query(
      "select name from pg_prepared_statements where statement like '%kept_by_pooler' and name like 'PGBOUNCER_%'",
    )
    expect(kept.rows).toHaveLength(1)
  })

  test('transactions with prepared statements are atomic', async () => {
    const { db } = replica('one')
    const say = (id: string) =>
      db.transaction().execute(async (tx) => {
        expect(await claimEvent(tx as never, 'reader', id)).toBe(true)
        expect(await claimEvent(tx as never, 'writer', id)).toBe(true)
        if (id.endsWith('7')) throw new Error('on purpose')
      })
    const outcomes = await Promise.allSettled(Array.from({ length: 40 }, (_, n) => say(`p${n}`)))
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(4)
    expect(await tables.query('select count(*)::int as claims from one.inbox')).toEqual([{ claims: 72 }])
  })
})

test('repeated statements are prepared if the pooler keeps prepared statements', async () => {
  const { url, drop } = await testDatabase(inject('postgresUrl'))
  // Postgres itself stands in for such a pooler: it keeps them as well.
  const settings = { url, pooler: { directUrl: url, prepares: true }, maxConnections: 1, onError: () => {} }
  const store = openDatabase({ ...settings, schema: 'public' })
  const text = 'select current_schema() as schema, $1::int as prepared_here'
  for (const n of [1, 2, 3, 4])
    expect((await store.pool.query(text, [n])).rows).toEqual([{ schema: 'public', prepared_here: n }])
  const { rows } = await store.pool.query(
    "select statement from pg_prepared_statements where statement like '%prepared_here'",
  )
  expect(rows).toEqual([{ statement: text }])
  await store.close()
  await drop()
})
