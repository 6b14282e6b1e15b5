import { listingChanged } from '@callboard/contract'
import type { Database } from '@callboard/store'
import { DAY_MS } from '@callboard/values'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ledgerPage } from '../src/store/ledger/ledger.repository.ts'
import type { CatalogTables } from '../src/store/tables.ts'
import { NOW, startCatalog, type TestCatalog } from './support/catalog.ts'
import { address, BASE, snapshot, USDC } from './support/facts.ts'
import { rowsRead } from './support/rows-read.ts'
import { openStore } from './support/store.ts'

const [PAYEE, OTHER_PAYEE, BUSY_PAYER] = [address(1), address(2), address(3)]
const LIMIT = 51
const since = new Date(NOW - 30 * DAY_MS)

let catalog: TestCatalog
let store: Database<CatalogTables>
beforeAll(async () => {
  catalog = await startCatalog()
  for (const [slug, payee] of [
    ['a', PAYEE],
    ['b', OTHER_PAYEE],
    ['c', PAYEE],
  ] as const)
    await catalog.deliver(listingChanged, snapshot(slug, { payTo: [{ network: BASE, address: payee }] }))
  // Newest first: calls of `a` by many payers, those that `a` shares with `c`, and calls of `b` by one busy payer.
  await fill({ from: 1, payer: null, payTo: PAYEE, slug: 'a' })
  await fill({ from: 10_001, payer: null, payTo: PAYEE, slug: 'a', sharedWith: 'c' })
  await fill({ from: 20_001, payer: BUSY_PAYER, payTo: OTHER_PAYEE, slug: 'b' })
  store = openStore(catalog)
})
afterAll(async () => {
  await store?.close()
  await catalog?.stop()
})

interface Filled {
  readonly from: number
  readonly payer: string | null
  readonly payTo: string
  readonly slug: string
  readonly sharedWith?: string
}

/** 10,000 settlements, each a minute older than the one before; no payer is in two of them if none is given. */
const fill = ({ from, payer, payTo, slug, sharedWith }: Filled) =>
  catalog.database.query(`
    insert into catalog.settlement (network, tx_hash, log_index, block_number, block_hash, observed_at, payer, pay_to,
                                    asset, amount_usd, slug, kind, shared_with, sequence, reverted)
    select '${BASE}', '0x' || lpad(to_hex(n), 64, '0'), 1, 100000 - n, '0x', timestamptz '${new Date(NOW).toISOString()}'
             - n * interval '1 minute', ${payer ? `'${payer}'` : `'0x' || lpad(to_hex(n + 5000), 40, '0')`}, '${payTo}',
           '${USDC}', 0.01, '${slug}', 'call', ${sharedWith ? `array['${sharedWith}']` : 'null'}, n, false
    from generate_series(${from}, ${from + 9_999}) n`)

describe.each([
  ['analyzed', 'analyze catalog.settlement'],
  ['vacuumed as well', 'vacuum catalog.settlement'],
])('where the table is %s', (_state, statement) => {
  beforeAll(async () => {
    await catalog.database.query(statement)
  })

  test.each([
    ['everything', {}],
    ['a listing', { slug: 'a' }],
    ['a listing whose calls are older than those of its payee', { slug: 'c' }],
    ['a payer whose payments are older than all others', { address: BUSY_PAYER }],
    ['a payee', { address: PAYEE }],
    ['a busy payer that never paid a busy listing', { slug: 'a', address: BUSY_PAYER }],
    ['a busy payer of a listing', { slug: 'b', address: BUSY_PAYER }],
    ['a busy payer that never paid a listing that shares calls', { slug: 'c', address: BUSY_PAYER }],
    ['a busy payee that a busy listing never had', { slug: 'b', address: PAYEE }],
    ['a payee of a listing that shares calls', { slug: 'c', address: PAYEE }],
  ])('a page of the ledger reads few of many settlements: of %s', async (_what, question) => {
    const read = (after?: Parameters<typeof ledgerPage>[3]) =>
      rowsRead(store.db, 'settlement', (db) => ledgerPage(db, { since, ...question }, LIMIT, after))
    expect(await read()).toBeLessThanOrEqual(4 * LIMIT)
    const page = (after?: Parameters<typeof ledgerPage>[3]) =>
      ledgerPage(store.db, { since, ...question }, LIMIT, after)
    const last = (await page()).at(-1)?.place
    if (!last) return
    expect(await read(last)).toBeLessThanOrEqual(4 * LIMIT)
    expect(await page(last)).toHaveLength(LIMIT)
  })
})

test('a page of a listing and an address has the same rows as the ledger has of both', async () => {
  const pageOf = async (question: object, after?: Parameters<typeof ledgerPage>[3]) =>
    (await ledgerPage(store.db, { since, ...question }, LIMIT, after)).map(({ item }) => item.txHash)
  const all = (await ledgerPage(store.db, { since }, 30_000)).map(({ item, place }) => ({ item, place }))
  const [own, shared, busy] = [all[500], all[15_000], all[29_000]]
  if (!own || !shared || !busy) throw new Error('the ledger is not full')
  expect(await pageOf({ slug: 'a', address: own.item.payer })).toEqual([own.item.txHash])
  expect(await pageOf({ slug: 'c', address: own.item.payer })).toEqual([])
  for (const slug of ['a', 'c'])
    expect(await pageOf({ slug, address: shared.item.payer })).toEqual([shared.item.txHash])
  const expected = all.slice(29_001, 29_001 + LIMIT).map(({ item }) => item.txHash)
  expect(await pageOf({ slug: 'b', address: BUSY_PAYER }, busy.place)).toEqual(expected)
  const ofPayee = all.slice(15_001, 15_001 + LIMIT).map(({ item }) => item.txHash)
  for (const slug of ['a', 'c']) expect(await pageOf({ slug, address: PAYEE }, shared.place)).toEqual(ofPayee)
})
