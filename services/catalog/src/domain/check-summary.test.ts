import { type Conformance, noChecks } from '@callboard/contract'
import { describe, expect, test } from 'vitest'
import { checkSummaryOf, type EndpointCheck, isNewer, isPublished, mergeChecks } from './check-summary.ts'

const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour))
const check = (more: Partial<EndpointCheck> = {}): EndpointCheck => ({
  method: 'GET',
  url: 'https://a.example/',
  checkedAt: at(1),
  sequence: 1,
  state: 'ok_402',
  okAt: at(1),
  liveness: noChecks,
  conformance: null,
  ...more,
})

describe('mergeChecks', () => {
  const down = check({ checkedAt: at(2), sequence: 2, state: 'timeout', okAt: null })

  test('the newer check counts, with the newer time of being up, in either order', () => {
    const merged = { ...down, okAt: at(1) }
    expect(mergeChecks(check(), down)).toEqual(merged)
    expect(mergeChecks(down, check())).toEqual(merged)
  })

  test('of two checks of the same moment, the one written later counts', () => {
    const later = check({ sequence: 2, state: 'mpp' })
    expect(mergeChecks(check(), later).state).toBe('mpp')
    expect(mergeChecks(later, check()).state).toBe('mpp')
  })

  test('the first check of an endpoint counts as it is', () => {
    expect(mergeChecks(undefined, down)).toBe(down)
  })

  test('no check is newer than itself', () => {
    expect(isNewer(check(), check())).toBe(false)
    expect(isNewer(down, check())).toBe(true)
    expect(isNewer(check(), down)).toBe(false)
  })

  test('an endpoint that was never up has no time of being up', () => {
    expect(mergeChecks({ ...down, sequence: 1 }, down).okAt).toBeNull()
  })
})

describe('checkSummaryOf', () => {
  const priced = {
    method: 'GET' as const,
    url: 'https://a.example/',
    price: '0.01',
    payment: {
      scheme: 'exact',
      network: 'eip155:8453' as const,
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' as const,
      payTo: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' as const,
      amount: '10000',
      checkedAt: '2026-11-20T00:00:00.000Z',
    },
  }
  const listing = {
    status: 'live' as const,
    verification: 'verified' as const,
    conformance: null,
    operations: [priced],
  }
  const unread = { ...priced, price: null, payment: null }

  test.each([
    ['live with a price', listing, false, true],
    ['removed', listing, true, false],
    ['suspended', { ...listing, status: 'suspended' as const }, false, false],
    ['without any price', { ...listing, operations: [unread] }, false, false],
    ['with a price and no payment', { ...listing, operations: [{ ...priced, payment: null }] }, false, false],
    ['with a payment and no price', { ...listing, operations: [{ ...priced, price: null }] }, false, false],
    ['with one price of two', { ...listing, operations: [unread, priced] }, false, true],
  ])('isPublished decides for a listing that is %s', (_what, one, removed, published) => {
    expect(isPublished(one, removed)).toBe(published)
  })

  test('a listing that was never checked has no times, and its own conformance', () => {
    const conformance = { declaredVersion: 1, versionConformant: true, offerTransport: 'body' as const, issues: [] }
    expect(checkSummaryOf({ ...listing, conformance }, [])).toMatchObject({
      okAt: null,
      checkedAt: null,
      staleness: 0,
      liveness: noChecks,
      conformance,
    })
  })

  test('a listing that was never read has no version and no transport', () => {
    expect(checkSummaryOf(listing, [])).toStrictEqual({
      staleness: 0,
      okAt: null,
      checkedAt: null,
      liveness: noChecks,
      conformance: { declaredVersion: null, versionConformant: false, offerTransport: 'none', issues: [] },
      mpp: [],
    })
  })

  test('a listing is less stale the later it was up', () => {
    const liveness = { ...noChecks, uptime7d: 1, checks7d: 24 }
    const conformance = { declaredVersion: 2, versionConformant: true, offerTransport: 'header' as const, issues: [] }
    expect(checkSummaryOf(listing, [check({ liveness, conformance })])).toStrictEqual({
      staleness: -1_994_596,
      okAt: at(1),
      checkedAt: at(1),
      liveness,
      conformance,
      mpp: [],
    })
  })

  test('a check of another endpoint does not count, even one with the same URL or the same method', () => {
    const others = [check({ method: 'POST' }), check({ url: 'https://a.example/other' })]
    expect(checkSummaryOf(listing, others)).toEqual(checkSummaryOf(listing, []))
  })

  test('a listing is up by any endpoint, checked by its newest check, and MPP by endpoint index', () => {
    const operations = [priced, { ...priced, method: 'POST' as const }]
    const checks = [check(), check({ method: 'POST', checkedAt: at(3), okAt: null, state: 'mpp', sequence: 9 })]
    expect(checkSummaryOf({ ...listing, operations }, checks)).toMatchObject({
      okAt: at(1),
      checkedAt: at(3),
      mpp: [1],
    })
  })

  test('a listing conforms as far as all of its endpoints do, except unread ones', () => {
    const of = (declaredVersion: number | null, issues: string[], more: Partial<Conformance> = {}): Conformance => ({
      declaredVersion,
      versionConformant: true,
      offerTransport: 'header',
      issues,
      ...more,
    })
    const methods = ['GET', 'POST', 'PUT'] as const
    const conformanceOf = (...parts: (Conformance | null)[]) => {
      const operations = methods.map((method) => ({ ...priced, method }))
      const checks = parts.map((conformance, index) => check({ method: methods[index] ?? 'GET', conformance }))
      return checkSummaryOf({ ...listing, operations, conformance: of(1, ['OWN']) }, checks).conformance
    }
    expect(conformanceOf(of(2, ['B', 'A']), null, of(1, ['C', 'A'], { offerTransport: 'body' }))).toEqual(
      of(1, ['A', 'B', 'C']),
    )
    expect(conformanceOf(of(null, []), of(2, []))).toEqual(of(2, []))
    expect(conformanceOf(of(null, []))).toEqual(of(null, []))
    expect(conformanceOf(of(2, []), of(2, [], { versionConformant: false }))).toEqual(
      of(2, [], { versionConformant: false }),
    )
    expect(conformanceOf(null)).toEqual(of(1, ['OWN']))
  })
})
