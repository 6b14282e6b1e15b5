import { expect, test } from 'vitest'
import { listed, payment, pricedOperation } from '../../test/support/listed.ts'
import { discoveryItem } from '../domain/card.ts'
import type { ListedSnapshot } from '../domain/listed.ts'
import { type HeldListing, SerializedItems } from './serialized-items.ts'
import { seenText, snapshotText } from './shown-text.ts'

const KEY = 'a key that is long enough for a test'
const shownAs = (snapshot: Partial<ListedSnapshot> = {}) => listed(snapshot)
const held = (snapshot: Partial<ListedSnapshot> = {}): HeldListing => {
  const one = shownAs(snapshot)
  return {
    snapshot: snapshotText(one.snapshot),
    seen: seenText(one),
    hasSeveralOffers: one.snapshot.operations.length > 1,
  }
}

test('a listing’s item is written once for as long as the index holds the same listing', () => {
  const items = new SerializedItems(KEY)
  const one = held()
  expect(JSON.parse(items.of(one, {}).json)).toEqual(discoveryItem(shownAs(), KEY))
  expect(items.of(one, {})).toBe(items.of(one, {}))
  expect(items.of({ ...one }, {})).not.toBe(items.of(one, {}))
})

test('filters on offers choose among several, and change nothing where there is only one', () => {
  const items = new SerializedItems(KEY)
  const dear = pricedOperation({
    url: 'https://api.example/dear',
    price: '2',
    payment: payment({ network: 'eip155:1' }),
  })
  const several = { operations: [dear, pricedOperation()] }
  const one = held(several)
  for (const filters of [{}, { maxPrice: '0.5' }, { network: 'eip155:1' }, { category: 'data', minUptime: 0.1 }]) {
    expect(JSON.parse(items.of(one, filters).json)).toEqual(discoveryItem(shownAs(several), KEY, filters))
  }
  const single = held()
  expect(items.of(single, { network: 'eip155:8453' })).toBe(items.of(single, {}))
})

test('an item that was not shown lately is dropped, and is written the same when it is shown again', () => {
  const { length } = new SerializedItems(KEY).of(held(), {}).json
  const items = new SerializedItems(KEY, 2 * length)
  const [first, ...others] = Array.from({ length: 5 }, () => held()) as [HeldListing, ...HeldListing[]]
  const written = items.of(first, {})
  for (const one of others) {
    items.of(one, {})
    expect(items.of(first, {})).toBe(written)
  }
  for (const one of others) items.of(one, {})
  const again = items.of(first, {})
  expect(again).not.toBe(written)
  expect(again).toEqual(written)
})
