import { type Conformance, type ListingOperation, noChecks, type ShownOffer } from '@callboard/contract'
import { wallet } from '@callboard/testkit'
import { isoTime } from '@callboard/values'
import { describe, expect, test } from 'vitest'
import { type Listing, operationKey } from './listing.ts'
import type { Terms } from './offer.ts'
import { mergedConformance, refresh } from './refresh.ts'

const [usdc, splitter, stranger, owner] = [wallet(8), wallet(7), wallet(6), wallet(1)].map(({ address }) => address)
const terms = { network: 'eip155:8453', asset: usdc, decimals: 6, payTo: splitter } as Terms
const NOW = 1_000_000

const offer = (more: Partial<ShownOffer> = {}): ShownOffer => ({
  scheme: 'exact',
  network: 'eip155:8453',
  asset: terms.asset,
  amount: '10000',
  payTo: terms.payTo,
  payable: true,
  notPayableReason: null,
  ...more,
})
const conformant: Conformance = {
  declaredVersion: 2,
  versionConformant: true,
  offerTransport: 'header',
  issues: [],
}
const operation: ListingOperation = {
  name: 'Quote',
  method: 'GET',
  url: 'https://api.example/quote',
  description: '',
  metadataEvidence: 'none',
  price: '0.01',
  payment: {
    scheme: 'exact',
    network: 'eip155:8453',
    asset: terms.asset,
    payTo: terms.payTo,
    amount: '10000',
    checkedAt: isoTime(NOW),
  },
}
const listing: Listing = {
  slug: 'quotes',
  version: 3,
  owner: owner ?? '0x',
  name: 'Quotes',
  description: '',
  category: 'data',
  status: 'live',
  verification: 'verified',
  group: 'added',
  provenance: 'self_listed',
  fee: { bps: 500, label: '' },
  network: 'eip155:8453',
  payoutWallet: owner ?? '0x',
  splitter: { address: terms.payTo, factory: terms.payTo, deployed: true },
  operations: [operation],
  conformances: { [operationKey(operation)]: conformant },
  liveness: noChecks,
  createdAt: 0,
  listedAt: 0,
  updatedAt: 0,
}

const read = (accepts: readonly ShownOffer[], more: { conformance?: Conformance; at?: number } = {}) =>
  refresh(
    listing,
    { ...operation, accepts, conformance: more.conformance ?? conformant, checkedAt: isoTime(more.at ?? NOW + 1_000) },
    terms,
  )

describe('refresh', () => {
  test('default: the same offer moves checkedAt, and nobody needs to hear of it', () => {
    const { listing: after, changed } = read([offer()])
    expect(changed).toBe(false)
    expect(after.operations[0]?.payment?.checkedAt).toBe(isoTime(NOW + 1_000))
  })

  test('behavior: another price is the price', () => {
    expect(read([offer({ amount: '25000' })])).toMatchObject({
      changed: true,
      listing: { operations: [{ price: '0.025' }], verification: 'verified' },
    })
  })

  test('behavior: of several offers to the splitter the cheapest counts; offers to others beside it do no harm', () => {
    const accepts = [
      offer({ payTo: stranger ?? '', amount: '1' }),
      offer({ amount: '30000' }),
      offer({ amount: '20000' }),
    ]
    expect(read(accepts)).toMatchObject({ listing: { operations: [{ price: '0.02' }], verification: 'verified' } })
  })

  test('behavior: a payee other than the splitter clears the payment and takes the verification', () => {
    expect(read([offer({ payTo: stranger ?? '' })])).toMatchObject({
      changed: true,
      listing: {
        verification: 'none',
        operations: [{ price: null, payment: null }],
        conformances: { [operationKey(operation)]: { issues: ['PAYTO_CHANGED'] } },
      },
    })
  })

  test.each<[string, ShownOffer[]]>([
    ['no offer', []],
    ['another network', [offer({ network: 'eip155:1' })]],
    ['another token', [offer({ asset: stranger ?? '' })]],
    ['another scheme', [offer({ scheme: 'upto' })]],
    ['an entry that cannot be paid', [offer({ payable: false, notPayableReason: 'eip712-domain' })]],
  ])('behavior: %s clears the payment and leaves the verification', (_what, accepts) => {
    expect(read(accepts)).toMatchObject({
      changed: true,
      listing: { verification: 'verified', operations: [{ price: null, payment: null }] },
    })
  })

  test('behavior: an older reading than the recorded one, or of another operation, changes nothing', () => {
    expect(read([], { at: NOW - 1 })).toMatchObject({ changed: false, listing: { operations: [operation] } })
    const other = { ...operation, method: 'POST' as const, accepts: [], conformance: null, checkedAt: isoTime(NOW) }
    expect(refresh(listing, other, terms)).toMatchObject({ changed: false, listing: { operations: [operation] } })
  })

  test('behavior: another conformance is heard of', () => {
    const conformance = { ...conformant, issues: ['CACHEABLE_402'] }
    expect(read([offer()], { conformance })).toMatchObject({ changed: true })
  })
})

test('mergedConformance: all must be conformant, and the issues are those of all', () => {
  expect(mergedConformance({})).toBeNull()
  const bad = { ...conformant, versionConformant: false, issues: ['B', 'A'] }
  expect(mergedConformance({ 'GET a': conformant, 'GET b': bad })).toEqual({
    ...conformant,
    versionConformant: false,
    issues: ['A', 'B'],
  })
})
