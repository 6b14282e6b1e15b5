import type { DirectoryResult, ListingSnapshot } from '@callboard/contract'
import { describe, expect, test } from 'vitest'
import type { WatchedEndpoint } from './endpoint-reasons.ts'
import { type HiddenFacts, hiddenReasons, notIndexed } from './hidden-reasons.ts'

const UPDATED = '2026-11-20T12:00:00.000Z'
const RESULTS: readonly DirectoryResult[] = [
  ...(['discovery', 'discovery?includeUnverified=true', 'services'] as const),
  ...(['services?includeUnverified=true', 'calls'] as const),
]
const operation = { method: 'GET', url: 'https://api.example/quote', price: '0.01', payment: {} }
const snapshot = (more: object = {}) =>
  ({
    ...{ slug: 'quotes', version: 3, status: 'live', verification: 'none', group: 'added', updatedAt: UPDATED },
    ...{ operations: [operation], ...more },
  }) as unknown as ListingSnapshot
const watched = (more: Partial<WatchedEndpoint> = {}): WatchedEndpoint => ({
  ...{ method: 'GET', url: operation.url, state: null, lastCheckedAt: null, nextDueAt: '2026-11-20T12:05:00.000Z' },
  ...more,
})
const facts = (more: Partial<HiddenFacts> = {}): HiddenFacts => ({
  ...{ snapshot: snapshot(), takenDownFor: null, verdict: null, indexedVersion: 3, endpoints: [watched()] },
  ...{ reviewDays: 7, ...more },
})
const codes = (given: HiddenFacts) =>
  RESULTS.map((result) =>
    hiddenReasons(given, result)
      .map(({ code }) => code)
      .join(),
  )
const suspended = { kind: 'suspended', at: 0, reason: null } as const

describe('what keeps a listing out of all results', () => {
  const status = 'POST /api/call/listings/quotes/status with '
  test.each<[string, Partial<HiddenFacts>, string, string, string]>([
    ['draft', {}, 'draft', 'It is a draft.', `Activate it: ${status}{"action": "activate"}.`],
    [
      'draft',
      { verdict: suspended, takenDownFor: 'It lied.' },
      'draft',
      'It is a draft, and the operator suspended it. It lied.',
      'Fix that, and ask the operator to review it again. You can activate it after that.',
    ],
    [
      'suspended',
      { takenDownFor: 'It is down.' },
      'suspended',
      'It is offline. It is down.',
      `Fix that, then ${status}{"action": "revise"}, and activate it.`,
    ],
    [
      'suspended',
      { verdict: suspended },
      'suspended',
      'The operator suspended it.',
      `${status}{"action": "revise"}, fix it, and ask the operator to review it again. You can activate it after that.`,
    ],
    [
      'rejected',
      {},
      'rejected',
      'The operator rejected it.',
      `${status}{"action": "revise"}, fix it, and ask the operator to review it again.`,
    ],
  ])('the status %s, given %j', (state, more, code, message, mend) => {
    const given = facts({ snapshot: snapshot({ status: state, verification: 'verified' }), ...more })
    for (const result of RESULTS)
      expect(hiddenReasons(given, result)).toEqual([{ code, message, mend, deadline: null }])
  })

  test.each([
    ['a price', { price: null }],
    ['a payment', { payment: null }],
  ])('endpoints without %s, unless another one has both', (_what, part) => {
    const unpayable = { ...operation, ...part }
    const all = facts({ snapshot: snapshot({ operations: [unpayable], verification: 'verified' }) })
    expect(codes(all)).toEqual(Array(5).fill('no_payable_endpoint'))
    const one = facts({ snapshot: snapshot({ operations: [unpayable, operation], verification: 'verified' }) })
    expect(codes(one)).toEqual(Array(5).fill(''))
  })

  test('a directory that has an older version of it, or none', () => {
    const verified = { snapshot: snapshot({ verification: 'verified' }) }
    for (const indexedVersion of [2, null]) expect(codes(facts({ ...verified, indexedVersion }))[0]).toBe('not_indexed')
    for (const indexedVersion of [3, 4]) expect(codes(facts({ ...verified, indexedVersion }))[0]).toBe('')
  })
})

describe('what keeps a live listing out of a result', () => {
  const shown = (more: object, given: Partial<HiddenFacts> = {}) => codes(facts({ snapshot: snapshot(more), ...given }))

  test('nothing, if it is verified or our own', () => {
    const nothing = Array(5).fill('')
    expect([shown({ verification: 'verified' }), shown({ group: 'svc' })]).toEqual([nothing, nothing])
    expect(shown({ group: 'external', verification: 'verified' })).toEqual(nothing)
  })

  test('a missing verification, where a result shows only verified listings', () => {
    expect(shown({})).toEqual(['not_verified', '', 'not_verified', '', ''])
    expect(shown({ verification: 'requested' })).toEqual([
      ...['verification_requested', '', 'verification_requested', '', ''],
    ])
    const [reason] = hiddenReasons(facts(), 'services')
    expect(reason).toMatchObject({ deadline: null, mend: expect.stringContaining('/listings/quotes/status') })
  })

  test('a pending review, due a number of days after its last change', () => {
    const given = facts({ snapshot: snapshot({ verification: 'requested' }), reviewDays: 3 })
    expect(hiddenReasons(given, 'discovery')).toMatchObject([{ deadline: '2026-11-23T12:00:00.000Z' }])
  })

  test('a mirrored listing that no probe has called yet, with the earliest probe that will', () => {
    const endpoints = [watched(), watched({ nextDueAt: '2026-11-20T12:01:00.000Z' })]
    const external = shown({ group: 'external' }, { endpoints })
    expect(external).toEqual(['not_checked', 'not_checked', 'not_verified', 'not_checked', ''])
    expect(hiddenReasons(facts({ snapshot: snapshot({ group: 'external' }), endpoints }), 'discovery')).toMatchObject([
      { code: 'not_checked', deadline: '2026-11-20T12:01:00.000Z' },
    ])
  })

  test('a mirrored listing that was not up, by its first endpoint that was called', () => {
    const called = watched({ lastCheckedAt: UPDATED, state: 'timeout' })
    const of = (...endpoints: readonly WatchedEndpoint[]) =>
      hiddenReasons(facts({ snapshot: snapshot({ group: 'external' }), endpoints }), 'discovery')
    expect(of(watched({ state: 'open' }), called)).toMatchObject([
      { code: 'not_up', message: 'No probe found it up in the last day. The last one found timeout.' },
    ])
    expect(of(watched({ lastCheckedAt: UPDATED }))[0]?.message).toContain('found nothing.')
    expect(of()).toMatchObject([{ code: 'not_checked', deadline: null }])
  })
})

test('notIndexed: a change is in the directory within two seconds', () => {
  expect(notIndexed(UPDATED)).toMatchObject({ code: 'not_indexed', deadline: '2026-11-20T12:00:02.000Z' })
})
