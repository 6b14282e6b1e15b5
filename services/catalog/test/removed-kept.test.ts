import { listingChanged, listingRemoved, catalog as operations, settlementObserved } from '@callboard/contract'
import { runOnce } from '@callboard/testkit'
import { DAY_MS, isoTime, isRefusal } from '@callboard/values'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { CatalogContext } from '../src/context.ts'
import { sweepRemoved } from '../src/jobs/sweep-removed.ts'
import { NOW, startCatalog, type TestCatalog } from './support/catalog.ts'
import { address, BASE, mirrored, settlement, snapshot } from './support/facts.ts'

let catalog: TestCatalog
beforeAll(async () => {
  catalog = await startCatalog()
})
afterAll(() => catalog.stop())
beforeEach(() => catalog.empty())

const sweep = () => runOnce(sweepRemoved, catalog.services.contexts.get('catalog') as CatalogContext)

const TABLES = ['listing', 'listing_removal', 'payee_claim', 'asked', 'listing_change'] as const

/** In which tables something is kept of a slug. */
const keptOf = async (slug: string) => {
  const found: string[] = []
  for (const table of TABLES) {
    const rows = await catalog.database.query(`select from catalog.${table} where slug = $1`, [slug])
    if (rows.length > 0) found.push(table)
  }
  return found
}

/** Removes listings so many days ago. */
const remove = async (days: number, ...slugs: string[]) => {
  for (const slug of slugs) await catalog.deliver(listingRemoved, { slug, version: 9 })
  await catalog.database.query('update catalog.listing_removal set removed_at = $2 where slug = any($1)', [
    slugs,
    isoTime(NOW - days * DAY_MS),
  ])
}

test('of a mirrored resource that was removed and never paid nothing is kept after ninety days', async () => {
  for (const slug of ['gone', 'lately']) await catalog.deliver(listingChanged, mirrored(slug))
  await catalog.deliver(listingChanged, snapshot('listed', { payTo: [{ network: BASE, address: address(2) }] }))
  await catalog.deliver(listingChanged, mirrored('stays'))
  await remove(91, 'gone', 'listed')
  await remove(89, 'lately')
  await sweep()
  expect(await keptOf('gone')).toEqual([])
  expect(await keptOf('lately')).toEqual(TABLES)
  expect(await keptOf('listed')).toEqual(TABLES)
  expect(await keptOf('stays')).toEqual(TABLES.filter((table) => table !== 'listing_removal'))
})

test('a removed resource that was paid, alone or with others, keeps what its payments are attributed by', async () => {
  const of = (number: number) => ({ payTo: [{ network: BASE, address: address(number) }] })
  for (const slug of ['alone', 'first', 'second']) {
    await catalog.deliver(listingChanged, mirrored(slug, slug === 'alone' ? of(1) : of(2)))
  }
  for (const number of [1, 2]) {
    await catalog.deliver(settlementObserved, settlement(number, { payTo: address(number) }))
  }
  const shared = await catalog.database.query('select slug, shared_with from catalog.settlement order by pay_to')
  expect(shared).toMatchObject([{ slug: 'alone' }, { slug: 'first', shared_with: ['second'] }])
  await remove(91, 'alone', 'first', 'second')
  await sweep()
  for (const slug of ['alone', 'first', 'second']) expect(await keptOf(slug), slug).toEqual(TABLES)
})

test('a resource that is named again after it was forgotten is shown', async () => {
  await catalog.deliver(listingChanged, mirrored('again'))
  await remove(91, 'again')
  await sweep()
  await catalog.deliver(listingChanged, mirrored('again', { version: 20 }))
  const entry = await catalog.askAnyway(operations.entry, { serviceId: 'again' })
  expect(isRefusal(entry)).toBe(false)
})
