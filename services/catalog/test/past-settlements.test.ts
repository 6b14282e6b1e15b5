import {
  type ListingSnapshot,
  listingChanged,
  listingRemoved,
  catalog as operations,
  settlementObserved,
} from '@callboard/contract'
import { HOUR_MS, isoTime } from '@callboard/values'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { NOW, startCatalog, type TestCatalog } from './support/catalog.ts'
import { address, BASE, operation, settlement, snapshot } from './support/facts.ts'

let catalog: TestCatalog
beforeAll(async () => {
  catalog = await startCatalog()
})
afterAll(() => catalog.stop())

const hoursAgo = (hours: number) => isoTime(NOW - hours * HOUR_MS)
const listing = (slug: string, hours: number, more: Partial<ListingSnapshot> = {}) =>
  catalog.deliver(listingChanged, snapshot(slug, { updatedAt: hoursAgo(hours), ...more }))

/** The listing and kind of what was paid thirty hours ago. */
const ofThePast = async () => {
  const { items } = await catalog.ask(operations.activity, {})
  return items.map(({ listing: { ref }, kind }) => `${kind} of ${ref}`)
}

/** A payment thirty hours ago of an amount that no listing asks; `first` has claimed its payee for a day. */
beforeEach(async () => {
  await catalog.empty()
  await listing('first', 24)
  await catalog.deliver(settlementObserved, settlement(1, { amount: '990000', observedAt: hoursAgo(30) }))
})

test.each<[string, string, () => Promise<unknown>]>([
  ['stays with the listing that claimed its payee first', 'transfer of first', () => listing('later', 2)],
  ['goes to a later one of a better group', 'transfer of later', () => listing('later', 2, { group: 'svc' })],
  [
    'goes back to the first once the later one is of a better group no more',
    'transfer of first',
    async () => {
      await listing('later', 2, { group: 'svc' })
      expect(await ofThePast()).toEqual(['transfer of later'])
      await listing('later', 1, { group: 'external', version: 2 })
    },
  ],
  [
    'goes to one that claimed the payee before, though it is heard of later',
    'transfer of later',
    () => listing('later', 26),
  ],
  [
    'goes to a later one once the first is removed',
    'transfer of later',
    async () => {
      await catalog.deliver(listingRemoved, { slug: 'first', version: 1 })
      await listing('later', 2)
    },
  ],
  [
    'is a call of one that asked this very amount then, and names the payee later',
    'call of later',
    async () => {
      const operations = [operation('later', { price: '0.99' })]
      await listing('later', 31, { operations, payTo: [{ network: BASE, address: address(2) }] })
      await listing('later', 2, { version: 2, operations })
    },
  ],
])('a payment from before a listing named its payee %s', async (_which, owner, happen) => {
  expect(await ofThePast()).toEqual(['transfer of first'])
  await happen()
  expect(await ofThePast()).toEqual([owner])
})
