import { type Conformance, type ListingOperation, noChecks, type ShownOffer } from '@callboard/contract'
import { wallet } from '@callboard/testkit'
import { isoTime } from '@callboard/values'
import { describe, expect, test } from 'vitest'
import type { Told } from './evidence.ts'
import { type Listing, operationKey } from './listing.ts'
import type { Terms } from './offer.ts'
import { mergedConformance, refresh } from './refresh.ts'

const [usdc, splitter, thirdParty, owner] = [wallet(8), wallet(7), wallet(6), wallet(1)].map(({ address }) => address)
const terms = {
  network: 'eip155:8453',
  asset: usdc,
  decimals: 6,
  payTo: splitter,
  otherSplitters: [],
} as unknown as Terms
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
  otherSplitters: [],
  suspendedReason: null,
  rejection: null,
  reviewed: null,
  operations: [operation],
  conformances: { [operationKey(operation)]: conformant },
  liveness: noChecks,
  createdAt: 0,
  listedAt: 0,
  updatedAt: 0,
  withdrawnAt: null,
}

const read = (accepts: readonly ShownOffer[], more: { conformance?: Conformance; at?: number } = {}) =>
  refresh(
    listing,
    { ...operation, accepts, conformance: more.conformance ?? conformant, checkedAt: isoTime(more.at ?? NOW + 1_000) },
    terms,
  )

describe('refresh', () => {
  test('default: the same offer moves checkedAt, and no consumer needs to hear of it', () => {
    const { listing: after, changed } = read([offer()])
    expect(changed).toBe(false)
    expect(after.operations[0]?.payment?.checkedAt).toBe(isoTime(NOW + 1_000))
  })

  test('behavior: another price is the price', () => {
    expect(read([offer({ amount: '25000' })])).toMatchObject({
      changed: true,
      avoids: undefined,
      listing: { operations: [{ price: '0.025' }] },
    })
  })

  test('behavior: of several offers to the splitter the cheapest counts', () => {
    const accepts = [offer({ amount: '30000' }), offer({ amount: '20000' })]
    expect(read(accepts)).toMatchObject({ avoids: undefined, listing: { operations: [{ price: '0.02' }] } })
  })

  test('behavior: a way to pay beside the splitter may not stay live', () => {
    const accepts = [offer(), offer({ payTo: thirdParty ?? '', amount: '1' })]
    expect(read(accepts)).toMatchObject({
      changed: true,
      avoids: expect.stringContaining(`GET https://api.example/quote: It offers exact of 1 base units`),
      listing: { operations: [{ price: '0.01' }] },
    })
  })

  test('behavior: a payee other than the splitter clears the payment, and says so', () => {
    expect(read([offer({ payTo: thirdParty ?? '' })])).toMatchObject({
      changed: true,
      avoids: expect.stringContaining(thirdParty ?? ''),
      listing: {
        operations: [{ price: null, payment: null }],
        conformances: { [operationKey(operation)]: { issues: ['PAYTO_CHANGED'] } },
      },
    })
  })

  test.each<[string, ShownOffer[]]>([
    ['no offer', []],
    ['another network', [offer({ network: 'eip155:1', payable: false, notPayableReason: 'network' })]],
    ['another token', [offer({ asset: thirdParty ?? '', payable: false, notPayableReason: 'asset' })]],
    ['another scheme', [offer({ scheme: 'upto', payable: false, notPayableReason: 'scheme' })]],
    ['an entry that cannot be paid', [offer({ payable: false, notPayableReason: 'eip712-domain' })]],
  ])('behavior: %s clears the payment, and the problem is named', (_what, accepts) => {
    expect(read(accepts)).toMatchObject({
      changed: true,
      avoids: undefined,
      listing: { operations: [{ price: null, payment: null, problem: expect.stringContaining('no payable') }] },
    })
  })

  test('behavior: an older reading than the recorded one, or of another operation, changes nothing', () => {
    expect(read([], { at: NOW - 1 })).toMatchObject({ changed: false, listing: { operations: [operation] } })
    const other = { ...operation, method: 'POST' as const, accepts: [], conformance: null, checkedAt: isoTime(NOW) }
    expect(refresh(listing, other, terms)).toMatchObject({ changed: false, listing: { operations: [operation] } })
  })

  test('behavior: a challenge without a schema leaves what the document of the origin said, until the seller says more', () => {
    const inputSchema = { type: 'object', required: ['city'] }
    const documented = { ...operation, metadataEvidence: 'openapi', inputSchema } as const
    const after = (told: Told) =>
      refresh(
        { ...listing, operations: [documented] },
        { ...documented, accepts: [offer()], conformance: conformant, checkedAt: isoTime(NOW + 1_000), told },
        terms,
      )
    expect(after({ metadataEvidence: 'probe' })).toMatchObject({
      changed: false,
      listing: { operations: [{ inputSchema, metadataEvidence: 'openapi' }] },
    })
    const bazaar = { metadataEvidence: 'bazaar', outputSchema: { type: 'array' } } as const
    const { changed, listing: now } = after(bazaar)
    expect({ changed, ...now.operations[0] }).toMatchObject({ changed: true, ...bazaar })
    expect(now.operations[0]).not.toHaveProperty('inputSchema')
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
