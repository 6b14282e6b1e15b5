import type { ListingRecord } from '@callboard/contract'
import { describe, expect, test } from 'vitest'
import type { Changes } from './changes.ts'
import { leftBy, planOf } from './plan.ts'

const none: Changes = { words: {}, sells: [] }
const words: Changes = { words: { name: 'Other' }, sells: [] }
const sells: Changes = { words: {}, sells: ['added GET https://a.example/'] }
const both: Changes = { ...words, sells: sells.sells }

const listing = (status: ListingRecord['status'], verification: ListingRecord['verification'] = 'none') =>
  ({ slug: 'tides', status, verification, listedAt: null }) as ListingRecord

const steps = (of: ListingRecord | undefined, changes: Changes, activates = false) =>
  planOf(of, changes, { activates }).steps

describe('the steps of a publication', () => {
  test('a new listing is created as a draft, and activated only on request', () => {
    expect(steps(undefined, none)).toEqual(['create'])
    expect(steps(undefined, none, true)).toEqual(['create', 'activate'])
  })

  test.each(['draft', 'live', 'suspended', 'rejected'] as const)(
    'nothing is done where nothing changed: %s',
    (status) => {
      expect(planOf(listing(status), none)).toEqual({ steps: [], surprise: undefined, undecided: undefined })
    },
  )

  test('words change in any state, without taking the listing offline', () => {
    for (const status of ['draft', 'live', 'suspended', 'rejected'] as const)
      expect(planOf(listing(status), words)).toMatchObject({ steps: ['edit'], surprise: undefined })
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
    expect(planOf(listing('live'), sells).surprise).toMatch(/goes offline/)
    expect(planOf(listing('live', 'verified'), sells).surprise).toMatch(/reviewed again/)
    expect(planOf(listing('live', 'verified'), words).surprise).toMatch(/reviewed again/)
    expect(planOf(listing('draft'), both).surprise).toBeUndefined()
  })

  test('what was begun is ended: the listing is live again, and a review that it had is requested', () => {
    const begun = { isReviewed: true }
    const ending = (of: ListingRecord, changes = none) => planOf(of, changes, { begun }).steps
    expect(ending(listing('suspended'), sells)).toEqual(['revise', 'replace', 'activate', 'request_verification'])
    expect(ending(listing('draft'))).toEqual(['activate', 'request_verification'])
    expect(ending(listing('live'))).toEqual(['request_verification'])
    for (const verification of ['requested', 'verified'] as const)
      expect(ending(listing('live', verification))).toEqual([])
    expect(planOf(listing('draft'), none, { begun: { isReviewed: false } }).steps).toEqual(['activate'])
  })

  test('a listing that was live and is offline needs a word: live again, or offline', () => {
    const was = (status: ListingRecord['status'], more: Partial<ListingRecord> = {}) =>
      ({ ...listing(status), listedAt: '2026-12-01T00:00:00Z', ...more }) as ListingRecord
    for (const status of ['draft', 'suspended'] as const) {
      expect(planOf(was(status), none).undecided).toMatch(/--activate.*--offline/)
      for (const word of [{ activates: true }, { staysOffline: true }, { begun: { isReviewed: false } }])
        expect(planOf(was(status), none, word).undecided).toBeUndefined()
    }
    // What the operator took down cannot be activated: its seller mends it and asks for a review.
    const verdict = { at: '2026-12-01T00:00:00Z', reason: null }
    expect(planOf(was('draft', { rejection: verdict }), sells).undecided).toBeUndefined()
    expect(planOf(was('draft', { suspension: verdict }), sells).undecided).toBeUndefined()
    expect(planOf(was('live'), none).undecided).toBeUndefined()
  })

  test('--offline changes no live listing, which would be live again at the end', () => {
    for (const changes of [none, words, sells])
      expect(planOf(listing('live'), changes, { staysOffline: true }).undecided).toMatch(
        /^tides is live, .* with: callboard sell suspend tides\.$/,
      )
    expect(planOf(undefined, none, { staysOffline: true }).undecided).toBeUndefined()
    expect(planOf(listing('draft'), sells, { staysOffline: true })).toMatchObject({ steps: ['replace'] })
    expect(planOf(listing('draft'), sells, { staysOffline: true }).undecided).toBeUndefined()
  })

  test('a publication that breaks off says what it leaves', () => {
    const plan = planOf(listing('live', 'verified'), both)
    const left = (done: number) => leftBy(plan, plan.steps.slice(0, done), 'tides')
    expect(left(0)).toBeUndefined()
    expect(left(1)).toMatch(/^tides may be offline/)
    for (const done of [2, 3, 4]) expect(left(done)).toMatch(/^tides is offline/)
    expect(left(5)).toMatch(/^tides is live, and its review is not requested.*: callboard sell verify tides$/)
    expect(leftBy(plan, plan.steps.slice(0, 5), 'x; rm -r ~')).not.toContain('callboard')
    const ending = planOf(listing('draft'), none, { begun: { isReviewed: false } })
    expect(leftBy(ending, [], 'tides')).toMatch(/^tides is offline/)
  })
})
