import type { ListingOperation, ListingRecord } from '@callboard/contract'
import { expect, test } from 'vitest'
import { changesOf } from './changes.ts'
import type { ListingFile } from './listing-file.ts'

const sample = { query: { port: 'dover' }, body: { days: 7, unit: 'm' } }
const told = { name: 'Tides', description: 'Tides of a port.', sample }
const wanted: ListingFile = {
  ...{ name: 'Tide tables', description: 'High and low water.', category: 'data', network: 'eip155:8453' },
  operations: [{ method: 'GET', url: 'https://api.example/tides', metadataEvidence: 'none', ...told }],
}
const listing = (operation: Partial<ListingOperation> = {}, more: Partial<ListingRecord> = {}) =>
  ({
    ...{ name: 'Tide tables', description: 'High and low water.', category: 'data' },
    operations: [
      {
        ...{ method: 'GET', url: 'https://api.example/tides', describedBy: 'owner', metadataEvidence: 'bazaar' },
        ...{ ...told, price: '0.02', sample: { body: { unit: 'm', days: 7 }, query: { port: 'dover' } } },
        ...operation,
      },
    ],
    ...more,
  }) as ListingRecord

test('what the service adds, and the order of members, are no changes', () => {
  expect(changesOf(wanted, listing())).toEqual({ words: {}, sells: [] })
})

test('words are told apart from what is sold', () => {
  const { words, sells } = changesOf(wanted, listing({}, { name: 'Tides', category: 'search' }))
  expect({ words, sells }).toEqual({ words: { name: 'Tide tables' }, sells: ['category: data'] })
})

test.each([
  ['its name', { name: 'Ebb' }],
  ['its description', { description: 'Other.' }],
  ['its sample', { sample: { query: { port: 'calais' } } }],
])('an operation that differs in %s has changed', (_what, operation) => {
  expect(changesOf(wanted, listing(operation)).sells).toEqual(['changed GET https://api.example/tides'])
})

test('operations are told apart by method and URL, as the service writes URLs', () => {
  expect(changesOf(wanted, listing({ method: 'POST' })).sells).toEqual([
    ...['added GET https://api.example/tides', 'removed POST https://api.example/tides'],
  ])
  const [operation] = wanted.operations
  const spelled = { ...wanted, operations: operation ? [{ ...operation, url: 'https://API.example:443/tides' }] : [] }
  expect(changesOf(spelled, listing()).sells).toEqual([])
})

test('a description that the file leaves out is the endpoint’s, whatever it says', () => {
  const [operation] = wanted.operations
  const silent = { ...wanted, operations: operation ? [{ ...operation, description: '' }] : [] }
  expect(changesOf(silent, listing({ describedBy: 'endpoint', description: 'Any.' })).sells).toEqual([])
  expect(changesOf(silent, listing({ describedBy: 'owner' })).sells).toHaveLength(1)
})
