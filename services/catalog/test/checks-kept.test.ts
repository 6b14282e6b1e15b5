import { listingChanged, listingRemoved, catalog as operations, probeCompleted } from '@callboard/contract'
import { runOnce } from '@callboard/testkit'
import { DAY_MS, isoTime, isRefusal } from '@callboard/values'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CatalogContext } from '../src/context.ts'
import { sweepChecks } from '../src/jobs/sweep-checks.ts'
import { NOW, startCatalog, type TestCatalog } from './support/catalog.ts'
import { probe, snapshot } from './support/facts.ts'

let catalog: TestCatalog
beforeAll(async () => {
  catalog = await startCatalog()
})
afterAll(() => catalog.stop())

const checked = async (table: 'endpoint_check' | 'live_offer') =>
  (await catalog.database.query(`select slug from catalog.${table} order by slug`)).map(({ slug }) => slug)

const sweep = () => runOnce(sweepChecks, catalog.services.contexts.get('catalog') as CatalogContext)

test('an endpoint’s checks are deleted ninety days after the last one, but a listing’s removal is remembered', async () => {
  const accepts = [] as const
  for (const [slug, days] of [
    ['gone', 91],
    ['stays', 89],
  ] as const) {
    await catalog.deliver(listingChanged, snapshot(slug))
    await catalog.deliver(
      probeCompleted,
      probe(slug, { checkedAt: isoTime(NOW - days * DAY_MS), accepts: [...accepts] }),
    )
  }
  await catalog.deliver(listingRemoved, { slug: 'gone', version: 9 })
  await sweep()
  expect([await checked('endpoint_check'), await checked('live_offer')]).toEqual([['stays'], ['stays']])
  await catalog.deliver(listingChanged, { ...snapshot('gone'), version: 8 })
  expect(isRefusal(await catalog.askAnyway(operations.entry, { serviceId: 'gone' }))).toBe(true)
  expect((await catalog.ask(operations.entry, { serviceId: 'stays' })).id).toBe('stays')
})
