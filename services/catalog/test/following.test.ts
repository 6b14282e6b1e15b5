import { catalog as operations } from '@callboard/contract'
import { granted, startTestServices, type TestServices, until } from '@callboard/testkit'
import { DAY_MS, isoTime } from '@callboard/values'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { CatalogContext } from '../src/context.ts'
import { catalog as module } from '../src/index.ts'
import { saveCheck } from '../src/store/check.repository.ts'
import { hideListing, saveListing } from '../src/store/listing.repository.ts'
import type { CatalogTx } from '../src/store/tables.ts'
import { BASE_URL, LINK_SIGNING_KEY, NOW, partsOf, startCatalog, type TestCatalog } from './support/catalog.ts'
import { mirrored, snapshot } from './support/facts.ts'

let catalog: TestCatalog
/** A second replica on the same database. */
let other: TestServices
beforeAll(async () => {
  catalog = await startCatalog()
  other = await replica()
})
afterAll(async () => {
  await other.stop()
  await catalog.stop()
})
beforeEach(() => catalog.empty())

const replica = () =>
  startTestServices([module], {
    databaseUrl: catalog.database.url,
    clock: catalog.clock,
    env: { LINK_SIGNING_KEY, BASE_URL },
  })

const shownBy = async (services: TestServices): Promise<string[]> => {
  const answer = granted(await services.call(operations.search, { limit: 100 }))
  return answer.calls.map(({ id, name }) => `${id}: ${name}`)
}

/** What both replicas show once they have read everything committed before; they must agree. */
async function shown(): Promise<string[]> {
  await Promise.all([catalog.services, other].map((one) => partsOf(one).follower.caughtUp()))
  const all = await shownBy(catalog.services)
  expect(await shownBy(other)).toEqual(all)
  return all
}

const write = <Result>(work: (tx: CatalogTx) => Promise<Result>): Promise<Result> =>
  (catalog.services.contexts.get('catalog') as unknown as CatalogContext).db.transaction().execute(work)

/** A transaction that has written and has not ended. */
async function pending(work: (tx: CatalogTx) => Promise<unknown>): Promise<() => Promise<void>> {
  const written = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const over = write(async (tx) => {
    await work(tx)
    written.resolve()
    await end.promise
  })
  await written.promise
  return async () => {
    end.resolve()
    await over
  }
}

const save =
  (slug: string, name = slug) =>
  (tx: CatalogTx) =>
    saveListing(tx, snapshot(slug, { name }), false)

test('a late commit is shown when it commits, and delays nothing that commits before it', async () => {
  const endFirst = await pending(save('first'))
  const endSecond = await pending(save('second'))
  await write(save('third'))
  expect(await shown()).toEqual(['third: third'])
  await endSecond()
  expect(await shown()).toEqual(['second: second', 'third: third'])
  await write(save('third', 'again'))
  await endFirst()
  expect(await shown()).toEqual(['first: first', 'second: second', 'third: again'])
})

test('a rolled-back write is never shown', async () => {
  const rolledBack = write(async (tx) => {
    await save('a')(tx)
    throw new Error('no')
  })
  await expect(rolledBack).rejects.toThrow('no')
  expect(await shown()).toEqual([])
})

test('every writer of the tables is followed, however it writes', async () => {
  await write(save('a'))
  const { query } = catalog.database
  expect(await shown()).toEqual(['a: a'])
  await query(`update catalog.listing set snapshot = jsonb_set(snapshot, '{name}', '"By hand"')`)
  expect(await shown()).toEqual(['a: By hand'])
  await query('delete from catalog.listing')
  expect(await shown()).toEqual([])
})

test('a replica of the previous release writes all its columns next to ours, and its writes are followed', async () => {
  const { query } = catalog.database
  const text = JSON.stringify(snapshot('a', { name: 'Of the release before' }))
  const upsert = `
    insert into catalog.listing (slug, version, snapshot, schemas, name, name_key, group_rank, verification, category,
      networks, endpoints, name_words, words, removed, published, distrust, staleness, ok_at, checked_at, liveness,
      conformance, mpp)
    values ('a', 2, $1, '[{}]', 'x', 'x', 1, 'verified', 'data', '{eip155:8453}', 1, to_tsvector('simple', 'x'),
      to_tsvector('simple', 'x'), false, true, 500, -1, now(), now(), '{}', '{}', '{}')
    on conflict (slug) do update set version = excluded.version, snapshot = excluded.snapshot, name = excluded.name,
      name_key = excluded.name_key, networks = excluded.networks, name_words = excluded.name_words,
      words = excluded.words, ok_at = excluded.ok_at, checked_at = excluded.checked_at, liveness = excluded.liveness,
      conformance = excluded.conformance, mpp = excluded.mpp`
  await write(save('a'))
  expect(await shown()).toEqual(['a: a'])
  await query(upsert, [text])
  expect(await shown()).toEqual(['a: Of the release before'])
  await write(save('a', 'Ours again'))
  await query(`update catalog.listing set distrust = 10, staleness = -2, liveness = '{}', mpp = '{0}' where slug = 'a'`)
  expect(await shown()).toEqual(['a: Ours again'])
  const unread = await query(`select slug from catalog.listing where published
    and (name_key, category, networks, name_words, words, distrust, staleness, liveness, conformance, mpp) is null`)
  expect(unread).toEqual([])
})

test('a check alone moves its listing', async () => {
  await write(async (tx) => {
    await saveListing(tx, mirrored('a', { listedAt: isoTime(NOW - 1) }), false)
    await saveListing(tx, mirrored('b', { listedAt: isoTime(NOW) }), false)
  })
  expect(await shown()).toEqual(['a: a', 'b: b'])
  await write((tx) =>
    saveCheck(tx, 'b', {
      method: 'GET',
      url: 'https://b.example/ask',
      checkedAt: new Date(NOW),
      sequence: 1,
      state: 'ok_402',
      okAt: new Date(NOW),
      liveness: { uptime7d: 1, latencyP50Ms: 1, latencyP95Ms: 1, checks7d: 100 },
      conformance: null,
    }),
  )
  expect(await shown()).toEqual(['b: b', 'a: a'])
})

test('a commit is shown without any request for it', async () => {
  await write(save('a'))
  await until('both replicas show it', async () =>
    (await Promise.all([catalog.services, other].map(shownBy))).every((all) => all.length === 1),
  )
})

test('killed connections lose nothing that is committed before, meanwhile or after', async () => {
  const { query } = catalog.database
  await write(save('before'))
  await query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  ).catch(() => {})
  await until('it can be written again', () => write(save('after')).then(() => true))
  expect(await shown()).toEqual(['after: after', 'before: before'])
  const [listening] = await until('both listen again', async () => {
    const rows = await query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and query like 'listen %'`,
    )
    return rows.length === 2 ? rows : undefined
  })
  await query('select pg_terminate_backend($1)', [listening?.pid])
  await write(save('later'))
  expect(await shown()).toEqual(['after: after', 'before: before', 'later: later'])
})

test('more changes than are worth following one by one are read afresh, and following continues', async () => {
  await write(save('a'))
  await catalog.database.query(
    `insert into catalog.listing
       (slug, version, snapshot, schemas, name, group_rank, verification, endpoints, removed, published)
     select 'many-' || n, version, jsonb_set(snapshot, '{slug}', to_jsonb('many-' || n)), schemas, name, group_rank,
            verification, endpoints, removed, published
     from catalog.listing, generate_series(1, 3000) n`,
  )
  expect(await shown()).toHaveLength(100)
  expect(partsOf(other).directory.size).toBe(3001)
  await write((tx) => hideListing(tx, 'a'))
  expect((await shown()).filter((one) => one.startsWith('a:'))).toEqual([])
  expect(partsOf(other).directory.size).toBe(3000)
})

test('transactions of another server, as in a restored dump, are adopted once as our own', async () => {
  await write(save('a'))
  await catalog.database.query(`update catalog.listing_change set xid = '9000000000000000'`)
  const third = await replica()
  const [row] = await catalog.database.query<{ ahead: number }>(
    'select count(*)::int as ahead from catalog.listing_change where xid >= pg_snapshot_xmax(pg_current_snapshot())',
  )
  expect(row?.ahead).toBe(0)
  await write(save('b'))
  await partsOf(third).follower.caughtUp()
  expect(await shownBy(third)).toEqual(['a: a', 'b: b'])
  await third.stop()
})

test('after any concurrent writes, replicas show what a newly started one shows', async () => {
  const slug = fc.constantFrom('a', 'b', 'c', 'd')
  const step = fc.oneof(
    fc.record({ kind: fc.constant('save' as const), slug, name: fc.constantFrom('one', 'two', 'three') }),
    fc.record({ kind: fc.constant('hide' as const), slug, name: fc.constant('') }),
  )
  const transactions = fc.array(
    fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 3 }), fails: fc.boolean() }),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  await fc.assert(
    fc.asyncProperty(transactions, async (all) => {
      await catalog.empty()
      await Promise.all(
        all.map(({ steps, fails }) =>
          write(async (tx) => {
            // In one order, so that they wait for each other without a deadlock.
            for (const { kind, slug: one, name } of steps.toSorted((x, y) => (x.slug < y.slug ? -1 : 1))) {
              if (kind === 'hide') await hideListing(tx, one)
              else await saveListing(tx, snapshot(one, { name, updatedAt: isoTime(NOW - DAY_MS) }), false)
            }
            if (fails) throw new Error('rolled back')
          }).catch(() => {}),
        ),
      )
      const third = await replica()
      try {
        expect(await shown()).toEqual(await shownBy(third))
      } finally {
        await third.stop()
      }
    }),
    { numRuns: 15 },
  )
}, 120_000)
