import { ListingSnapshot, mayClaim, pricesAsked, resourcesSold } from '@callboard/contract'
import { schemaHash } from '@callboard/values/schema-hash'
import { expect, test } from 'vitest'
import { listing, operation } from '../../test/held-listing.ts'
import { abridged } from './abridged.ts'
import { snapshotOf } from './views.ts'

const inputSchema = { type: 'object', title: 'a'.repeat(200_000) }
const outputSchema = { type: 'array' }
const sample = { query: { city: 'Bern' } }
const whole = snapshotOf({
  ...listing,
  description: 'All quotes.',
  operations: [
    { ...operation, inputSchema, inputExample: { city: 'Bern' }, outputSchema, sample, description: 'One quote.' },
    operation,
  ],
})

test('an abridged snapshot loses its texts, schemas and samples, and has a hash for each schema', () => {
  const { description: _, operations, ...kept } = whole
  expect(abridged(whole)).toStrictEqual({
    ...kept,
    abridged: true,
    description: '',
    operations: [
      {
        ...{ ...operation, description: '' },
        ...{ inputSchemaHash: schemaHash(inputSchema), outputSchemaHash: schemaHash(outputSchema) },
      },
      { ...operation, description: '' },
    ],
  })
  expect(operations).toHaveLength(2)
})

test('it is as valid as a whole one, asks and sells the same, and stays the same when abridged again', () => {
  const short = abridged(whole)
  expect(ListingSnapshot.parse(short)).toEqual(short)
  expect(pricesAsked(short)).toEqual(pricesAsked(whole))
  expect(resourcesSold(short)).toEqual(resourcesSold(whole))
  expect(mayClaim(short)).toBe(true)
  expect(abridged(short)).toEqual(short)
  expect(JSON.stringify(short).length).toBeLessThan(3_000)
})
