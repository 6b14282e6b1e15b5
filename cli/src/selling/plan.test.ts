import type { ListingRecord } from '@callboard/contract'
import { describe, expect, test } from 'vitest'
import type { Changes } from './changes.ts'
import { planOf } from './plan.ts'

const none: Changes = { words: {}, sells: [] }
const words: Changes = { words: { name: 'Other' }, sells: [] }
const sells: Changes = { words: {}, sells: ['added GET https://a.example/'] }
const both: Changes = { ...words, sells: sells.sells }

const listing = (status: ListingRecord['status'], verification: ListingRecord['verification'] = 'none') =>
  ({ slug: 'tides', status, verification }) as ListingRecord

const steps = (of: ListingRecord | undefined, changes: Changes, activates = false) =>
  planOf(of, changes, activates).steps

describe('the steps of a publication', () => {
  test('a new listing is created as a draft, and activated only on request', () => {
    expect(steps(undefined, none)).toEqual(['create'])
    expect(steps(undefined, none, true)).toEqual(['create', 'activate'])
  })

  test.each(['draft', 'live', 'suspended', 'rejected'] as const)(
    'nothing is done where nothing changed: %s',
    (status) => {
      expect(planOf(listing(status), none, false)).toEqual({ steps: [], surprise: undefined })
    },
  )

  test('words change in any state, without taking the listing offline', () => {
    for (const status of ['draft', 'live', 'suspended', 'rejected'] as const)
      expect(planOf(listing(status), words, false)).toEqual({ steps: ['edit'], surprise: undefined })
  })

  test('what a live listing sells changes offline, after its words, and it is live again at the end', () => {
    expect(steps(listing('live'), both)).toEqual(['edit', 'suspend', 'revise', 'replace', 'activate'])
    expect(steps(listing('live', 'verified'), sells)).toEqual([
      ...(['suspend', 'revise', 'replace', 'activate', 'request_verification'] as const),
    ])
  })

  test('a listing that is offline is activated only on request', () => {
    expect(steps(listing('suspended'), sells)).toEqual(['revise', 'replace'])
    expect(steps(listing('draft'), sells, true)).toEqual(['replace', 'activate'])
    expect(steps(listing('suspended'), none, true)).toEqual(['revise', 'activate'])
    expect(steps(listing('live'), none, true)).toEqual([])
  })

  test('going offline, and a new review of a verified listing, are surprises', () => {
    expect(planOf(listing('live'), sells, false).surprise).toMatch(/goes offline/)
    expect(planOf(listing('live', 'verified'), sells, false).surprise).toMatch(/reviewed again/)
    expect(planOf(listing('live', 'verified'), words, false).surprise).toMatch(/reviewed again/)
    expect(planOf(listing('draft'), both, false).surprise).toBeUndefined()
  })
})
