import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { freePort } from '@callboard/embedded'
import { until } from '@callboard/testkit'
import { DAY_MS } from '@callboard/values'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { environment, Instance } from './instance.ts'

const PATHS = [
  '/api/call/discovery?includeUnverified=true',
  '/api/call/services?includeUnverified=true',
  '/api/calls/sample-weather',
  '/api/call/stats',
  '/api/call/activity',
]
const instance = new Instance()
let database: pg.Client

beforeAll(async () => {
  const wide = { burst: 1_000_000, perMinute: 1_000_000 }
  const quiet = { STATS_CACHE_MS: '0', PROBE_INTERVAL_MS: String(DAY_MS), RATE_LIMITS: JSON.stringify({ read: wide }) }
  await instance.start([], { DEMO_PORT: String(await freePort()), ...quiet })
  await until('the demonstration is over', () => instance.says(/^Done\. Look|^The demonstration stopped/m), 60_000)
  database = new pg.Client({ connectionString: instance.databaseUrl })
  await database.connect()
  await until('nothing is judged any more', async () => {
    const { rows } = await database.query(
      'select from catalog.paid_dirty union all select from catalog.settlement_change',
    )
    return rows.length === 0
  })
  await until('it stands still', async () => {
    const [one, other] = [await pages(), await pages()]
    return isDeepStrictEqual(one, other)
  })
}, 150_000)
afterAll(async () => {
  await database?.end()
  await instance.dispose()
})

/** A page as read, without what changes all the time: when it was made, and how far a chain is read. */
async function page(path: string): Promise<string> {
  const res = await fetch(instance.baseUrl + path)
  const { chains: _, generatedAt: __, ...body } = (await res.json()) as Record<string, unknown>
  expect(res.status).toBe(200)
  return JSON.stringify(body)
}
const pages = () => Promise.all(PATHS.map(page))

/** A rebuild in a process of its own. */
function rebuild() {
  const env = { ...environment(), CALLBOARD_DATA: instance.folder, OPERATOR_NAME: 'the whole shift' }
  const command = [join(inject('programs'), 'rebuild.mjs'), 'catalog', '--by', 'ada']
  const child = spawn(process.execPath, command, { env })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return { child, ended: once(child, 'exit').then(() => ({ code: child.exitCode, said })) }
}

/** Reads all pages repeatedly until a promise settles. @returns every different reading */
async function readDuring(over: Promise<unknown>): Promise<string[]> {
  const readings = new Set<string>()
  let isOver = false
  over.finally(() => (isOver = true)).catch(() => {})
  while (!isOver) {
    for (const one of await pages()) readings.add(one)
    await setImmediate()
  }
  for (const one of await pages()) readings.add(one)
  return [...readings]
}

/** Stops a rebuild where it copies its rows, until the work is done. */
async function heldBack(work: (child: ChildProcess, pid: number) => Promise<unknown>) {
  const holder = new pg.Client({ connectionString: instance.databaseUrl })
  await holder.connect()
  try {
    await holder.query('begin; lock table catalog.inbox in share row exclusive mode')
    const { child, ended } = rebuild()
    const waiting = async () => {
      const { rows } = await database.query<{ pid: number }>(
        `select pid from pg_locks where relation = 'catalog.inbox'::regclass and not granted and mode = 'ShareRowExclusiveLock'`,
      )
      return rows[0]?.pid
    }
    await until('the rebuild is about to bring its rows over', async () => (await waiting()) !== undefined, 30_000)
    await work(child, (await waiting()) ?? 0)
    return await ended
  } finally {
    await holder.end()
  }
}

test('readers see no difference before, during and after a rebuild of correct tables', async () => {
  const before = await pages()
  const { ended } = rebuild()
  expect((await readDuring(ended)).toSorted()).toEqual([...new Set(before)].toSorted())
  expect(await ended).toMatchObject({ code: 0 })
  expect((await ended).said).toMatch(/^catalog: rebuilt from [1-9]\d* events in .* s; 0 rows differed from them\n$/)
}, 60_000)

test('wrong rows are fixed atomically: readers see the wrong page or the right one, and nothing in between', async () => {
  const right = await page(PATHS[0] ?? '')
  await database.query('delete from catalog.endpoint_check; update catalog.listing set published = false')
  await until('it is empty', async () => (await page(PATHS[0] ?? '')).includes('"items":[]'))
  const wrong = await page(PATHS[0] ?? '')
  const { ended } = rebuild()
  const readings: string[] = []
  let isOver = false
  void ended.finally(() => (isOver = true))
  while (!isOver) readings.push(await page(PATHS[0] ?? ''))
  expect(readings.every((one) => one === wrong || one === right)).toBe(true)
  await until('it is right', async () => (await page(PATHS[0] ?? '')) === right)
  expect((await ended).said).toMatch(/; [1-9]\d* rows differed/)
}, 60_000)

test('a rebuild killed half-way changes nothing, and the next one completes', async () => {
  const before = await pages()
  const killed = heldBack(async (child) => child.kill('SIGKILL'))
  expect((await readDuring(killed)).toSorted()).toEqual([...new Set(before)].toSorted())
  expect(await killed).toMatchObject({ code: null })
  expect(await rebuild().ended).toMatchObject({ code: 0 })
  expect(await pages()).toEqual(before)
}, 90_000)

test('a rebuild that loses its Postgres connection half-way fails, reports it, and changes nothing', async () => {
  const before = await pages()
  const cut = heldBack((_, pid) => database.query('select pg_terminate_backend($1)', [pid]))
  expect((await readDuring(cut)).toSorted()).toEqual([...new Set(before)].toSorted())
  expect((await cut).code).toBe(1)
  const { rows } = await database.query<{ by: string; outcome: string }>(
    'select by, outcome from catalog.operator_action order by id desc limit 2',
  )
  expect(rows).toEqual([
    { by: 'ada', outcome: 'failed' },
    { by: 'ada', outcome: 'begun' },
  ])
}, 90_000)

test('an event that no consumer can handle stops a rebuild until an operator has discarded it', async () => {
  const before = await pages()
  // As published: the relay leaves it alone.
  await database.query(`insert into listings.outbox (id, name, key, occurred_at, data, published_at)
    values ('never', 'listing.changed.v1', 'x', now(), '{}', now())`)
  await database.query(`insert into catalog.dead_letter (consumer, event_id, name, reason, envelope, attempts)
    values ('listing.changed.v1', 'never', 'listing.changed.v1', 'a bug', '{}', 6)`)
  expect(await rebuild().ended).toMatchObject({ code: 1 })
  const words = ['dead-letters', 'discard', 'catalog', 'never', '--reason', 'A test wrote it.', '--by', 'ada']
  const env = { ...environment(), DATABASE_URL: instance.databaseUrl }
  const { status } = spawnSync(process.execPath, [join(inject('programs'), 'operator.mjs'), ...words], { env })
  expect(status).toBe(0)
  expect(await rebuild().ended).toMatchObject({ code: 0 })
  expect(await pages()).toEqual(before)
}, 90_000)
