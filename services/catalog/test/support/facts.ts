import type {
  Conformance,
  DataOf,
  ListingOperation,
  ListingSnapshot,
  ObservedSettlement,
  PostingSnapshot,
  probeCompleted,
} from '@callboard/contract'
import { type Address, type Caip2, DAY_MS, type Hex, HOUR_MS, isoTime } from '@callboard/values'
import { NOW } from './catalog.ts'

export const BASE: Caip2 = 'eip155:8453'
export const ARC: Caip2 = 'eip155:5042'
export const USDC: Address = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

/** An address that is unique by its number; one with only digits is its own EIP-55 form. */
export const address = (number: number): Address => `0x${String(number).padStart(40, '0')}`
export const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`

export const conformant: Conformance = {
  declaredVersion: 2,
  versionConformant: true,
  offerTransport: 'header',
  issues: [],
}

export const operation = (slug: string, more: Partial<ListingOperation> = {}): ListingOperation => {
  const price = more.price ?? '0.01'
  return {
    name: 'Ask',
    method: 'GET',
    url: `https://${slug}.example/ask`,
    description: 'Answers one question',
    metadataEvidence: 'probe',
    price,
    payment: {
      scheme: 'exact',
      network: BASE,
      asset: USDC,
      payTo: address(1),
      amount: '10000',
      checkedAt: isoTime(NOW - HOUR_MS),
    },
    ...more,
  }
}

/** A live, verified, self-listed API; every field can be overridden. */
export const snapshot = (slug: string, more: Partial<ListingSnapshot> = {}): ListingSnapshot => ({
  slug,
  version: 1,
  name: slug,
  description: 'An API',
  category: 'data',
  status: 'live',
  verification: 'verified',
  group: 'added',
  provenance: 'self_listed',
  fee: { bps: 500, label: '5% network fee' },
  operations: [operation(slug)],
  payTo: [{ network: BASE, address: address(1) }],
  conformance: null,
  createdAt: isoTime(NOW - 2 * DAY_MS),
  listedAt: isoTime(NOW - DAY_MS),
  updatedAt: isoTime(NOW - DAY_MS),
  ...more,
})

export const mirrored = (slug: string, more: Partial<ListingSnapshot> = {}): ListingSnapshot =>
  snapshot(slug, {
    verification: 'none',
    group: 'external',
    provenance: 'indexed',
    fee: { bps: 0, label: 'no network fee' },
    ...more,
  })

export const postingId = (number: number): string => `posting_${String(number).padStart(36, '0')}`

/** An open offer of work by an owner without a verified listing; it ends a day after NOW. */
export const posting = (number: number, more: Partial<PostingSnapshot> = {}): PostingSnapshot => ({
  id: postingId(number),
  version: 1,
  kind: 'service_offer',
  title: `Posting ${number}`,
  description: 'Work by hand',
  category: 'data',
  amountUsd: '250',
  accepts: [{ network: BASE, asset: USDC }],
  contactUrl: 'https://poster.example/contact',
  status: 'open',
  postedBy: address(700),
  hasVerifiedListing: false,
  createdAt: isoTime(NOW - DAY_MS),
  updatedAt: isoTime(NOW - DAY_MS),
  expiresAt: isoTime(NOW + DAY_MS),
  ...more,
})

type Probe = DataOf<typeof probeCompleted>

/** A check of the endpoint of `snapshot(slug)` that was up, an hour before NOW. */
export const probe = (slug: string, more: Partial<Probe> = {}): Probe => ({
  slug,
  url: `https://${slug}.example/ask`,
  method: 'GET',
  state: 'ok_402',
  verdict: 'up',
  latencyMs: 80,
  checkedAt: isoTime(NOW - HOUR_MS),
  accepts: null,
  conformance: conformant,
  liveness: { uptime7d: 1, latencyP50Ms: 80, latencyP95Ms: 120, checks7d: 100 },
  consecutiveDown: 0,
  ...more,
})

/** One settlement of 0.01 USDC an hour before NOW; settlements, blocks and wallets differ by their numbers. */
export const settlement = (number: number, more: Partial<ObservedSettlement> = {}): ObservedSettlement => ({
  network: BASE,
  txHash: hash(number),
  logIndex: 1,
  blockNumber: String(1000 + number),
  blockHash: hash(100_000 + number),
  observedAt: isoTime(NOW - HOUR_MS),
  payer: address(500),
  payTo: address(1),
  asset: USDC,
  amount: '10000',
  decimals: 6,
  nonce: hash(200_000 + number),
  facilitator: null,
  ...more,
})
