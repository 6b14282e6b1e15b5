import { type ListingSnapshot, listingChanged, catalog as operations, settlementObserved } from '@callboard/contract'
import { HOUR_MS, isoTime } from '@callboard/values'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { NOW, startCatalog, type TestCatalog } from './support/catalog.ts'
import { operation, settlement, snapshot } from './support/facts.ts'

let catalog: TestCatalog
beforeAll(async () => {
  catalog = await startCatalog()
})
afterAll(() => catalog?.stop())
beforeEach(() => catalog.empty())

/** Version n is written ten hours after the one before it. */
const version = (number: number, price: string, more: Partial<ListingSnapshot> = {}) =>
  catalog.deliver(
    listingChanged,
    snapshot('quotes', {
      ...{ version: number, updatedAt: isoTime(NOW - (100 - 10 * number) * HOUR_MS), name: `Quotes ${number}` },
      ...{ operations: [operation('quotes', { price })], ...more },
    }),
  )

const rows = async () =>
  (
    await catalog.database.query<{ first: string; last: string; since: Date; price: string }>(
      `select version as first, coalesce(last_version, version) as last, since, prices -> 0 ->> 'amountUsd' as price
       from catalog.asked order by version`,
    )
  ).map(({ first, last, since, price }) => [Number(first), Number(last), (since.getTime() - NOW) / HOUR_MS, price])

const ONE_ROW_EACH = [
  [1, 3, -90, '0.01'],
  [4, 4, -60, '0.02'],
  [5, 6, -50, '0.01'],
]

test.each([
  ['in order', [1, 2, 3, 4, 5, 6]],
  ['backwards', [6, 5, 4, 3, 2, 1]],
  ['in parts', [3, 1, 6, 4, 5, 2]],
  ['repeated', [1, 2, 1, 3, 2, 4, 6, 4, 5, 6, 1]],
])('versions in a row that ask the same are one row, if they come %s', async (_how, order) => {
  for (const number of order) await version(number, number === 4 ? '0.02' : '0.01')
  expect(await rows()).toEqual(ONE_ROW_EACH)
})

test('what a listing asked is known for every version of a row', async () => {
  for (const number of [1, 2, 3, 4]) await version(number, number === 4 ? '0.02' : '0.01')
  const at = (hours: number) => ({ observedAt: isoTime(NOW + hours * HOUR_MS) })
  await catalog.deliver(settlementObserved, settlement(1, at(-65)))
  await catalog.deliver(settlementObserved, settlement(2, { ...at(-55) }))
  const { items } = await catalog.ask(operations.activity, {})
  expect(items.map(({ kind }) => kind)).toEqual(['transfer', 'call'])
})
