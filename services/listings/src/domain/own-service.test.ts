import { chainSet } from '@callboard/evm'
import { type Address, isoTime } from '@callboard/values'
import { describe, expect, test } from 'vitest'
import { OWNER, THIRD_PARTY } from '../../test/held-listing.ts'
import type { Listing } from './listing.ts'
import { changeOfOwn, type OwnPayment, ownListing, ownPayments } from './own-service.ts'

const chains = chainSet({ networks: ['eip155:8453', 'eip155:84532'] })
const BASE_USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const SEPOLIA_USDC = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const NOW = 1_800_000_000_000

const service = {
  slug: 'x402-decode',
  name: 'Decoder',
  description: 'It decodes.',
  operation: 'Decodes one offer.',
  url: 'https://callboard.example/x402/decode',
  discovery: undefined,
}
const payments: readonly OwnPayment[] = [
  { network: 'eip155:8453', payTo: OWNER, amount: '1000' },
  { network: 'eip155:84532', payTo: THIRD_PARTY, amount: '2000' },
]

describe('ownPayments', () => {
  const entry = { scheme: 'exact', amount: '1000', payTo: OWNER, maxTimeoutSeconds: 300, extra: {} }
  const asked = (network: string, asset: string) => ({ ...entry, network, asset })

  test('default: returns the payments in the USDC of a configured chain', () => {
    const accepts = [asked('eip155:8453', BASE_USDC), asked('eip155:84532', SEPOLIA_USDC)]
    expect(ownPayments({ accepts } as never, chains)).toEqual([
      { network: 'eip155:8453', payTo: OWNER, amount: '1000' },
      { network: 'eip155:84532', payTo: OWNER, amount: '1000' },
    ])
  })

  test.each([
    ['on another chain', asked('eip155:1', BASE_USDC)],
    ['in the USDC of another chain', asked('eip155:84532', BASE_USDC)],
    ['in another token', asked('eip155:8453', THIRD_PARTY)],
  ])('behavior: a payment %s is left out', (_what, entry) => {
    expect(ownPayments({ accepts: [entry] } as never, chains)).toEqual([])
  })
})

describe('ownListing', () => {
  test('behavior: it has input and output as our offer describes them, before any probe', () => {
    const inputSchema = { type: 'object' }
    const inputExample = { header: 'e30=' }
    const discovery = { metadataEvidence: 'bazaar', type: 'http', inputSchema, inputExample } as const
    const [operation] = ownListing({ ...service, discovery }, payments, 0, chains, NOW)?.operations ?? []
    expect(operation).toMatchObject({ metadataEvidence: 'bazaar', inputSchema, inputExample })
    expect(operation).not.toHaveProperty('outputSchema')
  })

  test('default: returns a live and verified listing of its payee, which pays no fee to itself', () => {
    expect(ownListing(service, payments, 0, chains, NOW)).toEqual({
      slug: 'x402-decode',
      version: 1,
      owner: OWNER,
      name: 'Decoder',
      description: 'It decodes.',
      category: 'crypto',
      status: 'live',
      verification: 'verified',
      group: 'svc',
      provenance: 'first_party',
      fee: { bps: 0, label: 'No network fee' },
      network: 'eip155:8453',
      payoutWallet: OWNER,
      splitter: { address: OWNER, factory: '0x0000000000000000000000000000000000000000', deployed: true },
      otherSplitters: [{ network: 'eip155:84532', address: THIRD_PARTY }],
      suspendedReason: null,
      rejection: null,
      reviewed: null,
      operations: [
        {
          name: 'Decoder',
          method: 'POST',
          url: service.url,
          description: 'Decodes one offer.',
          metadataEvidence: 'none',
          price: '0.001',
          payment: {
            scheme: 'exact',
            network: 'eip155:8453',
            asset: BASE_USDC,
            payTo: OWNER,
            amount: '1000',
            checkedAt: isoTime(NOW),
          },
        },
      ],
      conformances: {},
      liveness: { uptime7d: 0, latencyP50Ms: 0, latencyP95Ms: 0, checks7d: 0 },
      createdAt: NOW,
      listedAt: NOW,
      updatedAt: NOW,
      withdrawnAt: null,
    })
  })

  test('behavior: each further chain has its own listing, with the chain’s id and name', () => {
    expect(ownListing(service, payments, 1, chains, NOW)).toMatchObject({
      slug: 'x402-decode-84532',
      name: 'Decoder on Base Sepolia',
      owner: THIRD_PARTY,
      network: 'eip155:84532',
      otherSplitters: [{ network: 'eip155:8453', address: OWNER }],
      operations: [{ price: '0.002', payment: { asset: SEPOLIA_USDC, payTo: THIRD_PARTY } }],
    })
  })

  test('behavior: returns none if nothing is asked for, or the chain is not configured', () => {
    expect(ownListing(service, payments, 2, chains, NOW)).toBeUndefined()
    expect(ownListing(service, payments, 1, chainSet({ networks: ['eip155:8453'] }), NOW)).toBeUndefined()
  })
})

describe('changeOfOwn', () => {
  const listed = (more: Partial<OwnPayment> = {}, url = service.url) =>
    ownListing({ ...service, url }, [{ ...(payments[0] as OwnPayment), ...more }], 0, chains, NOW) as Listing
  const wanted = listed()
  const [asWanted] = wanted.operations
  if (!asWanted) throw new Error('It has an operation')
  const held: Listing = { ...wanted, version: 7, name: 'Our decoder', description: 'Edited.', updatedAt: NOW + 1 }

  test('default: returns none if the listing matches our offer, and leaves its words to its owner', () => {
    expect(changeOfOwn(held, wanted)).toBeUndefined()
    expect(changeOfOwn(held, ownListing(service, payments.slice(0, 1), 0, chains, NOW + 5) as Listing)).toBeUndefined()
  })

  test.each(['suspended', 'rejected'] as const)(
    'behavior: a listing that was %s stays so, whatever we offer',
    (status) => {
      expect(changeOfOwn({ ...held, status }, listed({ amount: '9', payTo: THIRD_PARTY }))).toBeUndefined()
    },
  )

  test.each([
    ['not live', { status: 'draft' }],
    ['not verified', { verification: 'requested' }],
    ['of another owner', { owner: THIRD_PARTY }],
    ['on another chain', { network: 'eip155:84532' }],
    ['paid out to another wallet', { payoutWallet: THIRD_PARTY }],
    ['paid at another address', { splitter: { ...wanted.splitter, address: THIRD_PARTY } }],
    ['of a factory', { splitter: { ...wanted.splitter, factory: THIRD_PARTY } }],
    ['not deployed', { splitter: { ...wanted.splitter, deployed: false } }],
    ['paid on another chain as well', { otherSplitters: [{ network: 'eip155:84532', address: OWNER }] }],
  ] as const)('behavior: a listing that is %s becomes what our offer says, and its operations stay', (_what, more) => {
    expect(changeOfOwn({ ...held, ...more }, wanted)).toEqual({
      owner: OWNER,
      network: 'eip155:8453',
      payoutWallet: OWNER,
      splitter: wanted.splitter,
      otherSplitters: [],
      status: 'live',
      verification: 'verified',
    })
  })

  test.each([
    ['another price', listed({ amount: '2000' })],
    ['another payee', listed({ payTo: THIRD_PARTY })],
    ['another URL', listed({}, 'https://callboard.example/v2/decode')],
  ])('behavior: if we ask for %s, the operation is taken from our offer', (_what, offered) => {
    expect(changeOfOwn(held, offered)).toMatchObject({ owner: offered.owner, operations: offered.operations })
  })

  test('behavior: an operation that a probe found unpaid stays unpaid, unless its URL changes', () => {
    const cleared = { ...held, operations: [{ ...asWanted, price: null, payment: null }] }
    expect(changeOfOwn(cleared, wanted)).toBeUndefined()
    expect(changeOfOwn(cleared, listed({ amount: '2000' }))).toBeUndefined()
    const moved = listed({}, 'https://callboard.example/v2/decode')
    expect(changeOfOwn(cleared, moved)).toMatchObject({ operations: moved.operations })
  })

  test('behavior: a payee on another chain is replaced when ours changes', () => {
    const on = (payTo: Address) => {
      const asked = payments.map((one, at) => (at === 1 ? { ...one, payTo } : one))
      return ownListing(service, asked, 0, chains, NOW) as Listing
    }
    const [before, after] = [on(THIRD_PARTY), on(OWNER)]
    expect(changeOfOwn(before, after)).toMatchObject({
      otherSplitters: [{ network: 'eip155:84532', address: OWNER }],
    })
    expect(changeOfOwn(after, after)).toBeUndefined()
  })

  test('behavior: if we ask something else for one of several operations, all are taken from our offer', () => {
    const second = { ...asWanted, url: 'https://callboard.example/x402/other' }
    const offered = { ...wanted, operations: [asWanted, { ...second, price: '0.002' }] }
    expect(changeOfOwn({ ...held, operations: [asWanted, second] }, offered)).toMatchObject({
      operations: offered.operations,
    })
  })

  test('behavior: a listing without operations gets ours', () => {
    expect(changeOfOwn({ ...held, operations: [] }, wanted)).toMatchObject({ operations: wanted.operations })
  })
})
