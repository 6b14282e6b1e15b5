import { ANSWER_BYTES } from '@callboard/bus'
import { describe, expect, test } from 'vitest'
import { listed, payment, pricedOperation, unreadOperation } from '../../../test/support/listed.ts'
import type { EndpointCheck } from '../check-summary.ts'
import { entryOf } from './catalogue-entry.ts'
import { invokedCall } from './invoked-call.ts'

const FACTS = { schemas: {}, live: undefined, check: undefined, linkKey: 'a key that is long enough for a test' }
const check = (more: Partial<EndpointCheck> = {}): EndpointCheck => ({
  ...{ method: 'GET', url: 'https://api.example/ask', sequence: 1, state: 'ok_402', okAt: new Date(0) },
  ...{ checkedAt: new Date(60_000), liveness: { uptime7d: 1, latencyP50Ms: 1, latencyP95Ms: 1, checks7d: 1 } },
  conformance: {
    declaredVersion: 1,
    versionConformant: true,
    offerTransport: 'header',
    issues: ['SCHEMA_INPUT_MISSING'],
  },
  ...more,
})

describe('invokedCall', () => {
  const operation = pricedOperation()
  const other = pricedOperation({ url: 'https://api.example/other', description: 'Another' })

  test('default: is the request of the entry, with its listing, its own check and the issues of its own offer', () => {
    const one = listed({ operations: [other, operation] })
    const call = invokedCall(one, operation, { ...FACTS, check: check() })
    const { linkKey } = FACTS
    const entry = entryOf(one, [], {
      ...{ liveOffers: [], week: [], offerChanges: [], recentSettlements: [], samePayee: [], linkKey },
    })
    expect(call).toEqual({
      listing: {
        ...{ id: 'answers', name: 'Answers', description: 'Answers questions', group: 'added' },
        ...{ verified: true, verification: 'verified' },
      },
      description: 'Answers one question',
      request: entry.requests[1],
      payable: true,
      problem: null,
      check: { state: 'ok_402', checkedAt: '1970-01-01T00:01:00.000Z', okAt: '1970-01-01T00:00:00.000Z' },
      liveness: one.liveness,
      issues: ['SCHEMA_INPUT_MISSING'],
    })
  })

  test('behavior: before the first check there is none, and a check that was never up has no such time', () => {
    expect(invokedCall(listed(), operation, FACTS)).toMatchObject({ check: null, issues: [], payable: true })
    expect(invokedCall(listed(), operation, { ...FACTS, check: check({ okAt: null }) }).check?.okAt).toBeNull()
  })

  test.each([
    ['an offer that was never read', unreadOperation(), undefined],
    ['another scheme than exact', pricedOperation({ payment: payment({ scheme: 'upto' }) }), undefined],
    ['a last check that found MPP', operation, check({ state: 'mpp' })],
  ])('behavior: %s is not payable', (_what, one, seen) => {
    expect(invokedCall(listed({ operations: [one] }), one, { ...FACTS, check: seen }).payable).toBe(false)
  })

  test('behavior: an operation that stopped charging says why, and has no link and no directions', () => {
    const one = unreadOperation({ problem: 'The endpoint answers without asking for payment.' })
    const { problem, request } = invokedCall(listed({ operations: [one] }), one, FACTS)
    expect([problem, request.action, request.howToPay]).toEqual([one.problem, null, null])
  })

  test('behavior: what a seller made too large is left out, and the answer fits', () => {
    const inputSchema = { a: 'x'.repeat(ANSWER_BYTES) }
    const { request, ...rest } = invokedCall(listed(), operation, { ...FACTS, schemas: { inputSchema } })
    expect([request.inputSchema, request.howToPay]).toEqual([
      null,
      expect.objectContaining({ cli: expect.any(String) }),
    ])
    const space = ANSWER_BYTES - Buffer.byteLength(JSON.stringify({ ...rest, requests: [request] }))
    const fits = { a: 'x'.repeat(space) }
    const full = invokedCall(listed(), operation, { ...FACTS, schemas: { outputSchema: fits } })
    expect(Buffer.byteLength(JSON.stringify(full))).toBeLessThanOrEqual(ANSWER_BYTES)
  })
})
