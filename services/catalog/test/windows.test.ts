import { type Database, type EventTables, migrate, openDatabase } from '@callboard/store'
import { type TestDatabase, testDatabase } from '@callboard/testkit'
import { HOUR_MS } from '@callboard/values'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { catalog } from '../src/index.ts'
import { NOW } from './support/catalog.ts'

// Any release may do the adding up: here, plain statements do.
let database: TestDatabase
let store: Database<EventTables>

beforeAll(async () => {
  database = await testDatabase(inject('postgresUrl'))
  store = openDatabase<EventTables>({ url: database.url, schema: 'catalog', maxConnections: 2, onError: () => {} })
  const { '0013-windows': _, ...before } = catalog.migrations ?? {}
  await migrate(store.db as never, 'catalog', before)
  await addUp([
    ['a', 0, 3],
    ['a', 1, 2],
    ['b', 30, 1],
  ])
  await migrate(store.db as never, 'catalog', catalog.migrations ?? {})
})
afterAll(async () => {
  await store?.close()
  await database?.drop()
})

/** A payer, how many hours ago, and the change of its calls. */
type Added = readonly [payer: string, hoursAgo: number, calls: number]

async function addUp(all: readonly Added[]): Promise<void> {
  for (const [payer, hoursAgo, calls] of all) {
    const at = new Date(NOW - hoursAgo * HOUR_MS)
    await sql`
      insert into payer_hour as known values (${payer}, date_bin('1 hour', ${at}, 'epoch'), ${calls})
      on conflict (payer, hour) do update set above = known.above + excluded.above`.execute(store.db)
    await sql`
      insert into taking_part as known values ('payer', ${payer}, ${calls}, ${at}, ${calls < 0})
      on conflict (role, name) do update set above = known.above + excluded.above,
        last_at = greatest(known.last_at, excluded.last_at), stale = excluded.stale`.execute(store.db)
    await sql`
      update taking_part set stale = false,
        last_at = (select max(hour) from payer_hour where payer = name and payer_hour.above > 0)
      where stale`.execute(store.db)
  }
}

const kept = () => database.query('select payer, day, above from catalog.payer_day where above <> 0 order by 1, 2')
const counted = () =>
  database.query(
    `select payer, date_bin('1 day', hour, 'epoch') as day, sum(above)::bigint as above from catalog.payer_hour
     group by 1, 2 having sum(above) <> 0 order by 1, 2`,
  )
const lastKept = () => database.query('select role, hour, parts from catalog.last_hour where parts <> 0 order by 1, 2')
const lastCounted = () =>
  database.query(
    `select role, date_bin('1 hour', last_at, 'epoch') as hour, count(*) as parts from catalog.taking_part
     where above > 0 and last_at is not null group by 1, 2 order by 1, 2`,
  )

async function expectAgreement(): Promise<void> {
  expect(await kept()).toEqual(await counted())
  expect(await lastKept()).toEqual(await lastCounted())
}

test('sums from before the migration are part of the window sums', async () => {
  expect(await kept()).toHaveLength(2)
  await expectAgreement()
})

test('window sums equal the sums of their hours, whatever is added, removed and forgotten', async () => {
  const added = fc.tuple(
    fc.constantFrom('a', 'b', 'c'),
    fc.integer({ min: 0, max: 50 }),
    fc.integer({ min: -2, max: 3 }),
  )
  const forgets = fc.constantFrom(
    'truncate catalog.payer_hour, catalog.taking_part',
    'delete from catalog.payer_hour; delete from catalog.taking_part',
    `delete from catalog.payer_hour where payer = 'a'`,
    `update catalog.payer_hour set payer = payer || 'x', above = above + 1`,
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof({ arbitrary: added, weight: 6 }, forgets), { maxLength: 20 }), async (steps) => {
      await database.query('truncate catalog.payer_hour, catalog.taking_part')
      for (const step of steps) {
        if (typeof step === 'string') await database.query(step)
        else await addUp([step])
      }
      await expectAgreement()
    }),
    { numRuns: 20 },
  )
})
