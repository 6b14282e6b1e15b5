import type { DirectoryResult, ListingSnapshot, ShownIn } from '@callboard/contract'
import { describe, expect, test } from 'vitest'
import { listing } from '../../../test/held-listing.ts'
import { snapshotOf } from '../views.ts'
import type { WatchedEndpoint } from './endpoint-reasons.ts'
import type { HiddenFacts } from './hidden-reasons.ts'
import { listingVisibility } from './listing-visibility.ts'

const RESULTS: readonly DirectoryResult[] = [
  'discovery',
  'discovery?includeUnverified=true',
  'services',
  'services?includeUnverified=true',
  'calls',
]
const UPDATED = '2026-11-20T12:00:00.000Z'
const DUE = '2026-11-20T12:05:00.000Z'
const live: ListingSnapshot = { ...snapshotOf(listing), status: 'live', verification: 'none', updatedAt: UPDATED }
const [{ method, url } = { method: 'GET' as const, url: '' }] = live.operations
const watched: WatchedEndpoint = { method, url, state: null, lastCheckedAt: null, nextDueAt: DUE }

const facts = (more: Partial<HiddenFacts> = {}): HiddenFacts => ({
  ...{
    snapshot: live,
    takenDownFor: null,
    verdict: null,
    indexedVersion: live.version,
    endpoints: [watched],
    reviewDays: 7,
  },
  ...more,
})
const nowhere = (isLonger = false): ShownIn[] => RESULTS.map((result) => ({ result, place: null, isLonger }))
const shownIn = (...results: DirectoryResult[]): ShownIn[] =>
  nowhere().map((one) => (results.includes(one.result) ? { ...one, place: 3 } : one))
const codes = (given: HiddenFacts, browsed = nowhere(), found: ShownIn[] | null = null) =>
  Object.fromEntries(
    listingVisibility(given, { browsed, found }).results.map(({ result, shown, reasons }) => [
      result,
      shown ? 'shown' : reasons.map(({ code }) => code).join(),
    ]),
  )
const inEach = (code: string) => Object.fromEntries(RESULTS.map((result) => [result, code]))

describe('listingVisibility', () => {
  test.each(['draft', 'suspended', 'rejected'] as const)(
    'a %s listing is in no result, and repeats the reason that was given',
    (status) => {
      const given = facts({ snapshot: { ...live, status }, takenDownFor: 'It sold nothing.' })
      expect(codes(given)).toEqual(inEach(status))
      const [first] = listingVisibility(given, { browsed: nowhere(), found: null }).results
      expect(first?.reasons).toEqual([
        {
          code: status,
          message: expect.stringContaining('It sold nothing.'),
          mend: expect.stringContaining('POST /api/'),
          deadline: null,
        },
      ])
    },
  )

  test.each([
    ['suspended', 'suspended', 'The operator suspended it. It changed.'],
    ['draft', 'suspended', 'It is a draft, and the operator suspended it. It changed.'],
    ['draft', 'rejected', 'It is a draft, and the operator rejected it. It changed.'],
  ] as const)('a listing that is %s after the operator %s it waits for the operator: %s', (status, kind, message) => {
    const verdict = { kind, at: 0, reason: 'It changed.' }
    const given = facts({ snapshot: { ...live, status }, takenDownFor: 'It changed.', verdict })
    const [first] = listingVisibility(given, { browsed: nowhere(), found: null }).results
    expect(first?.reasons).toMatchObject([
      { message, mend: expect.stringContaining('ask the operator to review it again') },
    ])
  })

  test('a listing without a price names each endpoint, its problem, and the time of its next check', () => {
    const broken = { ...live.operations[0], price: null, payment: null, problem: 'It answered 500.' } as never
    const [first] = listingVisibility(facts({ snapshot: { ...live, operations: [broken] } }), {
      ...{ browsed: nowhere(), found: null },
    }).results
    expect(first?.reasons).toMatchObject([
      { code: 'no_payable_endpoint', message: 'It answered 500.', deadline: DUE, endpoint: { method, url } },
    ])
  })

  test('an unverified listing is in results that include such, and says how, or by when, to be verified', () => {
    const browsed = shownIn('discovery?includeUnverified=true', 'services?includeUnverified=true', 'calls')
    const expected = { ...inEach('shown'), discovery: 'not_verified', services: 'not_verified' }
    expect(codes(facts(), browsed)).toEqual(expected)
    const requested = facts({ snapshot: { ...live, verification: 'requested' } })
    const [first] = listingVisibility(requested, { browsed, found: null }).results
    expect(first?.reasons).toMatchObject([{ code: 'verification_requested', deadline: '2026-11-27T12:00:00.000Z' }])
  })

  test('a mirrored listing is only in the catalogue until a probe found it up within a day', () => {
    const snapshot = { ...live, group: 'external' as const }
    const never = { ...inEach('not_checked'), services: 'not_verified', calls: 'shown' }
    expect(codes(facts({ snapshot }), shownIn('calls'))).toEqual(never)
    const down = [{ ...watched, state: 'timeout' as const, lastCheckedAt: UPDATED }]
    const [first] = listingVisibility(facts({ snapshot, endpoints: down }), { browsed: nowhere(), found: null }).results
    expect(first?.reasons).toMatchObject([
      { code: 'not_up', message: expect.stringContaining('timeout'), deadline: DUE },
    ])
  })

  test('a listing that is left out without a rule has not arrived yet, and has a time by which it will', () => {
    const behind = facts({ indexedVersion: live.version - 1 })
    expect(codes(behind)).toEqual(inEach('not_indexed'))
    const verified = facts({ snapshot: { ...live, verification: 'verified' } })
    expect(codes(verified)).toEqual(inEach('not_indexed'))
    const [first] = listingVisibility(verified, { browsed: nowhere(), found: null }).results
    expect(first?.reasons[0]?.deadline).toBe('2026-11-20T12:00:02.000Z')
  })

  test('a listing behind the first ten thousand is shown without a place', () => {
    const verified = facts({ snapshot: { ...live, verification: 'verified' } })
    expect(codes(verified, nowhere(true))).toEqual(inEach('shown'))
    expect(codes(facts(), nowhere(true))).toMatchObject({ discovery: 'not_verified', calls: 'shown' })
  })

  test('a listing that a query misses says so where it would be shown, and elsewhere keeps its reason', () => {
    const browsed = shownIn('discovery?includeUnverified=true', 'calls')
    expect(codes(facts(), browsed, shownIn('calls'))).toMatchObject({
      discovery: 'not_verified',
      'discovery?includeUnverified=true': 'not_matched',
      calls: 'shown',
    })
  })

  test('the place is the one for the query, or the one without a query', () => {
    const placed = (found: ShownIn[] | null) =>
      listingVisibility(facts(), { browsed: shownIn('calls'), found }).results.at(-1)
    const shown = { result: 'calls', shown: true, reasons: [] }
    expect(placed(null)).toEqual({ ...shown, place: 3 })
    expect(placed([{ result: 'calls', place: 7, isLonger: false }])).toEqual({ ...shown, place: 7 })
    expect(placed([{ result: 'calls', place: null, isLonger: true }])).toEqual({ ...shown, place: null })
    expect(placed([{ result: 'services', place: 7, isLonger: false }])).toEqual({ ...shown, place: 3 })
  })

  test('a listing that no result shows has no place, whatever the query finds', () => {
    const { results } = listingVisibility(facts(), { browsed: nowhere(), found: shownIn('discovery') })
    expect(results[0]).toMatchObject({ shown: false, place: null, reasons: [{ code: 'not_verified' }] })
  })
})
