import { HOUR_MS } from '@callboard/values'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AskedFrom,
  creditOf,
  mayClaim,
  type PayeeClaim,
  PRICE_GRACE_MS,
  pricesAsked,
  resourceOf,
  resourcesSold,
} from './index.ts'

const BASE = 'eip155:8453'
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const T = 1_000 * HOUR_MS

const cent = (amountUsd: string) => ({ network: BASE, asset: USDC, amountUsd })
const from = (version: number, since: number, ...amounts: string[]): AskedFrom => ({
  version,
  since,
  prices: amounts.map(cent),
})
const claim = (slug: string, more: Partial<PayeeClaim> = {}): PayeeClaim => ({
  slug,
  group: 'added',
  removed: false,
  since: T,
  asked: [from(1, T, '0.01')],
  ...more,
})
const paid = (at: number, amountUsd = '0.01') => ({ ...cent(amountUsd), at })

describe('creditOf', () => {
  test('default: a payment of the price that is asked is a call, and any other amount is a transfer', () => {
    expect(creditOf(paid(T), [claim('a')])).toEqual({ slug: 'a', kind: 'call', sharedWith: [] })
    expect(creditOf(paid(T, '0.011'), [claim('a')])).toEqual({ slug: 'a', kind: 'transfer', sharedWith: [] })
    expect(creditOf({ ...paid(T), asset: BASE }, [claim('a')])).toEqual({ slug: 'a', kind: 'transfer', sharedWith: [] })
    expect(creditOf(paid(T), [])).toBeUndefined()
  })

  test('behavior: a price counts from an hour before it was read until an hour after the next one was read', () => {
    const asked = [from(2, T, '0.01'), from(3, T + 10 * HOUR_MS, '0.02')]
    const kind = (at: number, amount: string) => creditOf(paid(at, amount), [claim('a', { asked })])?.kind
    const [start, end] = [T - PRICE_GRACE_MS, T + 10 * HOUR_MS + PRICE_GRACE_MS]
    expect([start - 1, start, end, end + 1].map((at) => kind(at, '0.01'))).toEqual([
      'transfer',
      'call',
      'call',
      'transfer',
    ])
    expect(kind(T + 9 * HOUR_MS - 1, '0.02')).toBe('transfer')
    expect(kind(T + 1_000 * HOUR_MS, '0.02')).toBe('call')
  })

  test('behavior: several prices can be valid at once, and a former price can return', () => {
    const asked = [from(1, T, '0.01', '0.05'), from(2, T + 10 * HOUR_MS), from(3, T + 20 * HOUR_MS, '0.01')]
    const kind = (at: number, amount: string) => creditOf(paid(at, amount), [claim('a', { asked })])?.kind
    expect([kind(T, '0.05'), kind(T + 15 * HOUR_MS, '0.01'), kind(T + 20 * HOUR_MS, '0.01')]).toEqual([
      'call',
      'transfer',
      'call',
    ])
  })

  test.each<[string, PayeeClaim, PayeeClaim]>([
    ['the one that asked', claim('z', { since: T + 1 }), claim('a', { asked: [] })],
    ['the one that is not removed', claim('z'), claim('a', { removed: true })],
    ['the better group', claim('z', { group: 'svc' }), claim('a')],
    ['the earlier claim', claim('z', { since: T - 1 }), claim('a')],
    ['the first name', claim('a'), claim('z')],
  ])('behavior: of two listings, the credit goes to %s', (_, first, second) => {
    expect(creditOf(paid(T), [first, second])?.slug).toBe(first.slug)
    expect(creditOf(paid(T), [second, first])?.slug).toBe(first.slug)
  })

  test('behavior: the resource that the payment names chooses among the payee’s listings, before amounts do', () => {
    const selling = (slug: string, resource: string, ...amounts: string[]) =>
      claim(slug, { asked: [{ ...from(1, T, ...amounts), resources: [resource] }] })
    const both = [selling('a', 'https://a.example/a', '0.01'), selling('b', 'https://a.example/b', '0.01')]
    const named = (resource: string | null, amount?: string) => creditOf({ ...paid(T, amount), resource }, both)
    expect(named('https://a.example/b')).toEqual({ slug: 'b', kind: 'call', sharedWith: [] })
    expect(named('https://a.example/b', '7')).toEqual({ slug: 'b', kind: 'transfer', sharedWith: [] })
    expect(named('https://elsewhere.example/')).toEqual({ slug: 'a', kind: 'call', sharedWith: ['b'] })
    expect(named(null)).toEqual({ slug: 'a', kind: 'call', sharedWith: ['b'] })
    const dearer = [selling('a', 'https://a.example/a', '0.01'), selling('b', 'https://a.example/b', '0.02')]
    expect(creditOf({ ...paid(T), resource: 'https://a.example/b' }, dearer)?.slug).toBe('b')
  })

  test('behavior: a resource counts while it is sold, with an hour of grace on either side', () => {
    const sold = { ...from(1, T, '0.01'), resources: ['https://a.example/a'] }
    const moved = { ...from(2, T + 10 * HOUR_MS, '0.01'), resources: ['https://a.example/b'] }
    const claims = [claim('z', { asked: [sold, moved] }), claim('a')]
    const at = (hours: number) => creditOf({ ...paid(T + hours * HOUR_MS), resource: 'https://a.example/a' }, claims)
    expect([at(0)?.slug, at(11)?.slug, at(12)?.slug]).toEqual(['z', 'z', 'a'])
  })

  test('behavior: a payment of a price that several listings ask stays shared when one of them is removed', () => {
    const [a, b] = [claim('a'), claim('b')]
    expect(creditOf(paid(T), [a, b])).toEqual({ slug: 'a', kind: 'call', sharedWith: ['b'] })
    expect(creditOf(paid(T), [{ ...a, removed: true }, b])).toEqual({ slug: 'b', kind: 'call', sharedWith: ['a'] })
    expect(creditOf(paid(T, '7'), [a, b])).toEqual({ slug: 'a', kind: 'transfer', sharedWith: ['b'] })
    expect(creditOf(paid(T, '7'), [{ ...a, removed: true }, b])).toMatchObject({ slug: 'b', sharedWith: [] })
    expect(creditOf(paid(T), [a, claim('b', { group: 'external' })])?.sharedWith).toEqual([])
    const later = claim('b', { since: T + 2 * HOUR_MS, asked: [] })
    expect(creditOf(paid(T, '7'), [a, later])?.sharedWith).toEqual([])
  })

  test('behavior: a listing that asked at that moment takes precedence over one that did within the grace', () => {
    const later = claim('a', { since: T + 60_000, asked: [from(1, T + 60_000, '0.01')] })
    expect(creditOf(paid(T), [claim('z'), later])).toEqual({ slug: 'z', kind: 'call', sharedWith: [] })
    expect(creditOf(paid(T + 60_000), [claim('z'), later])).toMatchObject({ slug: 'z', sharedWith: ['a'] })
  })

  test('behavior: a settlement names a bounded number of the listings that share it', () => {
    const many = Array.from({ length: 100 }, (_, n) => claim(`a${n}`))
    expect(creditOf(paid(T), many)?.sharedWith).toHaveLength(64)
  })

  test('behavior: the order in which versions become known does not matter', () => {
    const versions = fc.uniqueArray(
      fc.record({ version: fc.nat(9), hours: fc.nat(20), amount: fc.constantFrom('1', '2') }),
      {
        selector: ({ version }) => version,
      },
    )
    fc.assert(
      fc.property(versions, fc.integer({ min: -2, max: 24 }), fc.nat(), (drawn, hours, turn) => {
        const asked = drawn.map(({ version, hours, amount }) => from(version, T + hours * HOUR_MS, amount))
        const turned = [...asked.slice(turn % (asked.length + 1)), ...asked.slice(0, turn % (asked.length + 1))]
        const settlement = paid(T + hours * HOUR_MS, '1')
        expect(creditOf(settlement, [claim('a', { asked: turned })])).toEqual(
          creditOf(settlement, [claim('a', { asked })]),
        )
      }),
    )
  })
})

test.each([
  ['https://api.example/pay?by=card', 'https://api.example/pay'],
  ['https://api.example./pay', 'https://api.example/pay'],
  ['https://api.example.:8443/pay', 'https://api.example:8443/pay'],
  ['https://api.example/%70a%79/%7Eme%2dand%5Fyou%2e', 'https://api.example/pay/~me-and_you.'],
  ['https://api.example/caf%c3%a9/a%2fb%2561', 'https://api.example/caf%C3%A9/a%2Fb%2561'],
  ['https://api.example/%%37%30%61', 'https://api.example/%%37%30%61'],
  ['https://api.example/Pay/', 'https://api.example/Pay/'],
])('resourceOf: %s is %s', (url, resource) => expect(resourceOf(url)).toBe(resource))

test('resourceOf: behavior: a resource is its own resource', () => {
  const path = fc.string({ unit: fc.constantFrom('%', '2', '5', '6', '1', 'c', 'C', '/', '.', 'é'), maxLength: 12 })
  fc.assert(
    fc.property(path, (given) => {
      const resource = resourceOf(`https://api.example/x${given}`)
      expect(resourceOf(resource)).toBe(resource)
    }),
  )
})

test('pricesAsked: returns each price that a live listing asks once, and a draft claims nothing', () => {
  const operation = { price: '0.01', payment: { network: BASE, asset: USDC } }
  const operations = [operation, operation, { price: null, payment: null }] as never
  expect(pricesAsked({ status: 'live', operations })).toEqual([cent('0.01')])
  expect(pricesAsked({ status: 'suspended', operations })).toEqual([])
  const at = (url: string) => ({ ...operation, url })
  const sold = [at('https://a.example/x?y=1'), at('https://a.example/x?y=2'), at('https://a.example/z')] as never
  expect(resourcesSold({ status: 'live', operations: sold })).toEqual(['https://a.example/x', 'https://a.example/z'])
  expect(resourcesSold({ status: 'suspended', operations: sold })).toEqual([])
  expect([mayClaim({ status: 'draft', listedAt: null }), mayClaim({ status: 'live', listedAt: null })]).toEqual([
    false,
    true,
  ])
})
