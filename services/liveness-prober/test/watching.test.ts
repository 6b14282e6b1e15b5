import { openDatabase } from '@callboard/store'
import {
  startTestServices,
  type TestDatabase,
  type TestServices,
  testDatabase,
  UNREACHABLE_DEVNET,
  until,
} from '@callboard/testkit'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { livenessProber } from '../src/index.ts'
import type { ProberTables } from '../src/store/tables.ts'
import { publishChanged, publishRemoved } from './sources.ts'

let database: TestDatabase
let services: TestServices

beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
  // Nothing is visited: these tests are about what is watched.
  const env = { DEVNET: UNREACHABLE_DEVNET, PROBE_POLL_MS: '60000' }
  services = await startTestServices([livenessProber], { databaseUrl: database.url, env })
})
afterAll(async () => {
  await services?.stop()
  await database?.drop()
})

/** A documentation address, to which nothing may be sent. */
const urlOf = (origin: number, path = 'a') => `http://192.0.2.${origin}/${path}`

const watched = async (slug: string) =>
  (
    await database.query<{ url: string; mirrored: boolean }>(
      'select url, mirrored from liveness_prober.target where slug = $1 order by url',
      [slug],
    )
  ).map(({ url, mirrored }) => `${url}${mirrored ? ' mirrored' : ''}`)

test('of many listings that are announced at once, the newest version of each counts, whatever came last', async () => {
  const slugs = Array.from({ length: 50 }, (_, at) => `many-${at}`)
  await Promise.all(
    slugs.flatMap((slug, at) => [
      publishChanged(services, slug, [urlOf(at, 'new'), urlOf(at + 1, 'new')], { version: 3, group: 'external' }),
      publishChanged(services, slug, [urlOf(at, 'old')], { version: 2 }),
      ...(at % 2 === 0 ? [publishRemoved(services, slug, 4)] : []),
    ]),
  )
  for (const [at, slug] of slugs.entries()) {
    const newest = [urlOf(at, 'new'), urlOf(at + 1, 'new')].sort().map((url) => `${url} mirrored`)
    expect(await watched(slug)).toEqual(at % 2 === 0 ? [] : newest)
  }
})

test('a writer of an origin’s endpoints holds the origin, so that a visit and a listing cannot deadlock', async () => {
  const urls = [urlOf(201), urlOf(202)]
  await publishChanged(services, 'circle', urls)
  const { db, close } = openDatabase<ProberTables>({
    ...{ url: database.url, schema: 'liveness_prober', maxConnections: 1 },
    onError: () => {},
  })
  const publishing = await db.transaction().execute(async (tx) => {
    const origin = new URL(urls[1] ?? '').origin
    await sql`select from origin where origin = ${origin} for update`.execute(tx)
    const told = publishChanged(services, 'circle', urls, { version: 2, group: 'external' })
    await until('the listing waits for the visit', async () => {
      const waiting = await database.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return waiting.length > 0
    })
    await sql`update target set state = 'ok_402' where origin = ${origin}`.execute(tx)
    return { told }
  })
  await publishing.told
  expect(await watched('circle')).toEqual(urls.map((url) => `${url} mirrored`))
  const states = await database.query(`select state from liveness_prober.target where slug = 'circle' order by url`)
  expect(states).toEqual([{ state: null }, { state: 'ok_402' }])
  await close()
})

test('a listing that was suspended and restored before we heard of either is due at once', async () => {
  const urls = [urlOf(211)]
  const dueAt = async () => {
    const [target] = await database.query<{ next_due_at: string }>(
      `select next_due_at::text from liveness_prober.target where slug = 'approved'`,
    )
    return target?.next_due_at
  }
  await publishChanged(services, 'approved', urls)
  await database.query(`update liveness_prober.target set next_due_at = 'infinity' where slug = 'approved'`)
  await publishChanged(services, 'approved', urls, { version: 2 })
  expect(await dueAt()).toBe('infinity')
  await Promise.all([
    publishChanged(services, 'approved', urls, { version: 3, status: 'suspended' }),
    publishChanged(services, 'approved', urls, { version: 4 }),
  ])
  expect(await dueAt()).not.toBe('infinity')
})
