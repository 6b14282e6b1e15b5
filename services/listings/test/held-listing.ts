import {
  type Conformance,
  type ListingOperation,
  noChecks,
  type ProbedOperation,
  type ProbeReport,
  type ShownOffer,
} from '@callboard/contract'
import { wallet } from '@callboard/testkit'
import { isoTime } from '@callboard/values'
import { type Listing, operationKey } from '../src/domain/listing.ts'
import type { Terms } from '../src/domain/offer.ts'

export const [USDC, SPLITTER, THIRD_PARTY, OWNER] = [
  wallet(8).address,
  wallet(7).address,
  wallet(6).address,
  wallet(1).address,
] as const

/** When the listing's stored offer was read, in milliseconds. */
export const READ_AT = 1_000_000

export const terms: Terms = {
  network: 'eip155:8453',
  asset: USDC,
  decimals: 6,
  payTo: SPLITTER,
  otherSplitters: [],
}

/** An entry that pays the listing's splitter one cent. */
export const offer = (more: Partial<ShownOffer> = {}): ShownOffer => ({
  scheme: 'exact',
  network: 'eip155:8453',
  asset: USDC,
  amount: '10000',
  payTo: SPLITTER,
  payable: true,
  notPayableReason: null,
  ...more,
})

export const conformant: Conformance = {
  declaredVersion: 2,
  versionConformant: true,
  offerTransport: 'header',
  issues: [],
}

export const operation: ListingOperation = {
  name: 'Quote',
  method: 'GET',
  url: 'https://api.example/quote',
  description: '',
  metadataEvidence: 'none',
  price: '0.01',
  payment: {
    scheme: 'exact',
    network: 'eip155:8453',
    asset: USDC,
    payTo: SPLITTER,
    amount: '10000',
    checkedAt: isoTime(READ_AT),
  },
}

/** A live, verified listing of one operation. */
export const listing: Listing = {
  slug: 'quotes',
  version: 3,
  owner: OWNER,
  name: 'Quotes',
  description: '',
  category: 'data',
  status: 'live',
  verification: 'verified',
  group: 'added',
  provenance: 'self_listed',
  fee: { bps: 500, label: '' },
  network: 'eip155:8453',
  payoutWallet: OWNER,
  splitter: { address: SPLITTER, factory: SPLITTER, deployed: true },
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

/** A probe's result at an endpoint that asks for payment, a second after the listing was read. */
export const report = (
  accepts: readonly ShownOffer[] = [offer()],
  more: Partial<ProbeReport> = {},
  described: Partial<ProbedOperation> = {},
): ProbeReport => ({
  state: 'ok_402',
  finding: 'payable',
  httpStatus: 402,
  latencyMs: 12,
  checkedAt: isoTime(READ_AT + 1_000),
  message: 'It asks for payment.',
  mend: 'Nothing to fix.',
  result: {
    kind: 'x402',
    x402Version: 2,
    accepts: [...accepts],
    endpoint: operation.url,
    operations: [{ method: 'GET', url: operation.url, name: 'Quote', metadataEvidence: 'probe', ...described }],
    conformance: conformant,
    unread: [],
    extensions: {},
    challenges: [],
  },
  ...more,
})

/** A probe's result at an endpoint that gave no offer. */
export const noOffer = (state: ProbeReport['state'], message = 'It is so.', mend = 'Mend it.'): ProbeReport =>
  report([], { state, finding: 'free', httpStatus: 200, message, mend, result: null })
