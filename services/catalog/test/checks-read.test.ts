import { listingChanged, catalog as operations, probeCompleted } from '@callboard/contract'
import type { Database } from '@callboard/store'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordsAfter, recordsOf } from '../src/store/change.repository.ts'
import { checksOf } from '../src/store/check.repository.ts'
import { liveOffersOf } from '../src/store/entry/offer.repository.ts'
import type { CatalogTables } from '../src/store/tables.ts'
import { startCatalog, type TestCatalog } from './support/catalog.ts'
import { probe, snapshot } from './support/facts.ts'
import { rowsRead } from './support/rows-read.ts'
import { openStore } from './support/store.ts'

const SLUG = 'ever-another'

let catalog: TestCatalog
let store: Database<CatalogTables>
beforeAll(async () => {
  catalog = await startCatalog()
  await catalog.deliver(listingChanged, snapshot(SLUG))
  await catalog.deliver(probeCompleted, probe(SLUG, { accepts: [] }))
  await catalog.database.query(`
    insert into catalog.endpoint_check
    select slug, method, url || '?' || n, checked_at, sequence, state, ok_at, liveness, conformance
    from catalog.endpoint_check, generate_series(1, 20000) n`)
  await catalog.database.query(`
    insert into catalog.live_offer
    select (jsonb_populate_record(one, jsonb_build_object('url', url || '?' || n))).*
    from catalog.live_offer one, generate_series(1, 20000) n`)
  await catalog.database.query('vacuum analyze catalog.endpoint_check, catalog.live_offer')
  store = openStore(catalog)
})
afterAll(async () => {
  await store?.close()
  await catalog?.stop()
})

test('a listing is read with the checks of what it sells, however many endpoints it had before', async () => {
  const sold = snapshot(SLUG).operations
  const read = (table: string, ask: Parameters<typeof rowsRead>[2]) => rowsRead(store.db, table, ask)
  expect(await read('endpoint_check', (db) => recordsOf(db, [SLUG]))).toBe(sold.length)
  expect(await read('endpoint_check', (db) => recordsAfter(db, '', 500))).toBe(sold.length)
  expect(await read('endpoint_check', (db) => checksOf(db, SLUG, sold))).toBe(sold.length)
  expect(await read('live_offer', (db) => liveOffersOf(db, SLUG, sold))).toBe(sold.length)
  const [record] = await recordsOf(store.db, [SLUG])
  expect(record?.checks.map(({ url }) => url)).toEqual(sold.map(({ url }) => url))
  expect(await catalog.ask(operations.entry, { serviceId: SLUG })).toMatchObject({ id: SLUG })
})
