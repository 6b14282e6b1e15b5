import { type TestDatabase, testDatabase, until } from '@callboard/testkit'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import {
  adoptLog,
  appendEvents,
  assertLeading,
  claimEvent,
  type Database,
  type EventTables,
  leadershipTable,
  migrate,
  Notifications,
  OutboxRelay,
  type OutgoingEvents,
  openCursor,
  openDatabase,
  type RelaySettings,
  StaleTerm,
  sealCursor,
  tryLead,
  type WaitingEvent,
} from '../src/index.ts'

let database: TestDatabase
const opened: Database<EventTables>[] = []
const open = () => {
  const one = openDatabase<EventTables>({ url: database.url, schema: 'suite', maxConnections: 5, onError: () => {} })
  opened.push(one)
  return one
}
let store: Database<EventTables>
let notifications: Notifications

beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
  store = open()
  notifications = new Notifications({ url: database.url, pool: store.pool, onError: () => {} })
  notifications.start()
  const migrateOnce = () => migrate(open().db as never, 'suite', { '0001-leadership': leadershipTable })
  await Promise.all([migrateOnce(), migrateOnce(), migrateOnce()])
})
beforeEach(() => database.query('truncate suite.outbox, suite.inbox'))
afterAll(async () => {
  await notifications.stop()
  await Promise.all(opened.map((one) => one.close()))
  await database.drop()
})

const happened = (events: OutgoingEvents['events']): OutgoingEvents => ({
  name: 'thing.happened.v1',
  occurredAt: new Date(),
  events,
})

const say = (key: string, n: number) =>
  store.db.transaction().execute((tx) => appendEvents(happened([{ key, data: { n } }])).execute(tx))

function relay(
  publish: (event: WaitingEvent) => Promise<void>,
  { one = open(), ...otherwise }: Partial<RelaySettings> & { one?: Database<EventTables> } = {},
): OutboxRelay {
  const made = new OutboxRelay({
    sessions: one.sessions,
    schema: 'suite',
    db: one.db,
    publish: async (inOrder) => {
      for (const event of inOrder) await publish(event)
    },
    notifications,
    onError: () => {},
    ...otherwise,
  })
  made.start()
  return made
}

test('several replicas that migrate at once run each migration once', async () => {
  const rows = await database.query('select name from suite.kysely_migration order by name')
  expect(rows.map(({ name }) => name)).toEqual([
    '0000-event-tables',
    '0000-event-tables-claims',
    '0000-event-tables-log',
    '0000-event-tables-mark',
    '0000-event-tables-operator',
    '0000-event-tables-replay',
    '0001-leadership',
  ])
})

describe('outbox', () => {
  test('a rolled-back transaction leaves no event', async () => {
    const failed = store.db.transaction().execute(async (tx) => {
      await appendEvents(happened([{ key: 'k', data: {} }])).execute(tx)
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await database.query('select * from suite.outbox')).toEqual([])
  })

  test('committed events are published promptly, in order per key, and kept', async () => {
    const got: string[] = []
    const one = relay(async ({ key, data }) => void got.push(`${key}${(data as { n: number }).n}`))
    for (let n = 0; n < 10; n += 1) {
      await say('a', n)
      await say('b', n)
    }
    await until('all are published', () => got.length === 20)
    expect(got.filter((text) => text.startsWith('a'))).toEqual(Array.from({ length: 10 }, (_, n) => `a${n}`))
    await one.stop()
    const [row] = await database.query<{ kept: string }>(
      'select count(*) as kept from suite.outbox where published_at is not null',
    )
    expect(row?.kept).toBe('20')
  })

  test('only one of two relays works; when it stops, the other takes over', async () => {
    const by: string[] = []
    const first = relay(async () => void by.push('first'))
    await say('a', 1)
    await until('the first has it', () => by.length === 1)
    const second = relay(async () => void by.push('second'))
    await say('a', 2)
    await until('the first has it', () => by.length === 2)
    await first.stop()
    await say('a', 3)
    await until('the second has it', () => by.length === 3)
    expect(by).toEqual(['first', 'first', 'second'])
    await second.stop()
  })

  test('a standby relay takes over unpublished events without a notification', async () => {
    const got: string[] = []
    const first = relay(() => new Promise<void>(() => {}))
    await say('a', 1)
    const second = relay(async ({ id }) => void got.push(id))
    await until('it waits for the lock', async () => {
      const waiting = await database.query(`select 1 from pg_locks where locktype = 'advisory' and not granted`)
      return waiting.length === 1
    })
    await first.stop()
    await until('the second has it', () => got.length === 1)
    await second.stop()
  })

  test('an idle relay sends no queries; its sweep finds events that it was not notified of', async () => {
    const got: string[] = []
    const one = open()
    let asked = 0
    await until('commits are told', () => notifications.arrive)
    one.pool.on('acquire', () => {
      asked += 1
    })
    const working = relay(async ({ key }) => void got.push(key), { one, sweepMs: 400 })
    await say('a', 1)
    await until('it is published', () => got.length === 1)
    const before = asked
    await database.query(
      `insert into suite.outbox (id, name, key, occurred_at, data) values ('quiet', 'thing.happened.v1', 'b', now(), '{}')`,
    )
    await until('it is found', () => got.length === 2)
    // The poll that found it, its mark, and at most the sweep before.
    expect(asked - before).toBeLessThanOrEqual(4)
    await working.stop()
  })

  test('an event that could not be published is published later with the same id', async () => {
    const ids: string[] = []
    const one = relay(async ({ id }) => {
      ids.push(id)
      if (ids.length < 3) throw new Error('the bus is unavailable')
    })
    const [id] = await say('a', 1)
    await until('it is published', () => ids.length === 3)
    expect(new Set(ids)).toEqual(new Set([id]))
    await one.stop()
  })

  test('an event published while its log becomes known is published and marked again at once', async () => {
    await until('commits are told', () => notifications.arrive)
    const keys: string[] = []
    const publish = async ({ key }: WaitingEvent) => {
      keys.push(key)
      if (key === 'b') await adoptLog(store.db as never, 'first', 14)
    }
    const one = relay(publish, { sweepMs: 60_000 })
    const allMarked = async () =>
      (await database.query('select id from suite.outbox where published_at is null')).length === 0
    await say('a', 1)
    await until('the first is marked', allMarked)
    await say('b', 1)
    await until('the second is published', () => keys.includes('b'))
    await until('it is marked', allMarked)
    expect(keys).toEqual(['a', 'b', 'b'])
    await one.stop()
  })

  test('a stop does not wait for a bus that hangs; the event stays in the outbox', async () => {
    let asked = 0
    const one = relay(() => {
      asked += 1
      return new Promise<void>(() => {})
    })
    await say('a', 1)
    await until('the bus is asked', () => asked === 1)
    await one.stop()
    expect(await database.query('select published_at from suite.outbox')).toEqual([{ published_at: null }])
  })

  test('a relay whose connection is killed recovers', async () => {
    // If the relay is killed between publishing and marking, an event is published again.
    const got = new Set<string>()
    const one = relay(async ({ id }) => void got.add(id))
    await say('a', 1)
    await until('the first is published', () => got.size === 1)
    await database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'callboard-suite' and pid <> pg_backend_pid()`,
    )
    await until('it is said', () => say('a', 2))
    await until('the second is published', () => got.size === 2)
    await one.stop()
  })
})

test('inbox: exactly one of many claims of an event succeeds', async () => {
  const claims = await Promise.all(
    Array.from({ length: 8 }, () => store.db.transaction().execute((tx) => claimEvent(tx, 'thing.happened.v1', 'e-1'))),
  )
  expect(claims.filter(Boolean)).toHaveLength(1)
})

test('a connection killed between two statements fails its own transaction and nothing else', async () => {
  const failed = store.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await database.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    await until('it is gone', async () => {
      const left = await database.query('select 1 from pg_stat_activity where pid = $1', [rows[0]?.pid])
      return left.length === 0
    })
    await sql`select 1`.execute(tx)
  })
  await expect(failed).rejects.toThrow()
  expect((await sql<{ one: number }>`select 1 as one`.execute(store.db)).rows).toEqual([{ one: 1 }])
})

describe('leadership', () => {
  test('only one leads; after a resignation the next leads with a higher token', async () => {
    const first = await tryLead(store.pool, 'chain')
    expect(first).toBeDefined()
    expect(await tryLead(open().pool, 'chain')).toBeUndefined()
    await first?.resign()
    const second = await until('the next leads', () => tryLead(store.pool, 'chain'))
    expect(second.token).toBeGreaterThan(first?.token ?? Number.NaN)
    await second.resign()
  })

  test('StaleTerm: a leader that lost its connection can no longer write', async () => {
    const old = await tryLead(store.pool, 'paused')
    if (!old) throw new Error('no leader')
    await database.query(
      `select pg_terminate_backend(l.pid) from pg_locks l where l.locktype = 'advisory' and l.classid = ${0x63616c6c}`,
    )
    await until('the term is over', () => old.signal.aborted)
    const next = await until('another leads', () => tryLead(open().pool, 'paused'))
    const write = (term: { name: string; token: number }) =>
      store.db.transaction().execute((tx) => assertLeading(tx as never, term))
    await expect(write(old)).rejects.toBeInstanceOf(StaleTerm)
    await expect(write(next)).resolves.toBeUndefined()
    await next.resign()
  })
})

describe('cursor', () => {
  test('default: a sealed cursor opens again', () => {
    expect(openCursor('key', 'discovery', sealCursor('key', 'discovery', { after: 7 }))).toEqual({ after: 7 })
  })

  test.each([
    ['another context', 'key', 'activity', (cursor: string) => cursor],
    ['another key', 'other', 'discovery', (cursor: string) => cursor],
    ['a changed place', 'key', 'discovery', (cursor: string) => `A${cursor.slice(1)}`],
    ['no tag', 'key', 'discovery', (cursor: string) => cursor.split('.')[0] ?? ''],
    ['rubbish', 'key', 'discovery', () => '%%%.%%%'],
  ])('error: %s does not open', (_what, key, context, change) => {
    expect(openCursor(key, context, change(sealCursor('key', 'discovery', { after: 7 })))).toBeUndefined()
  })
})
