import type { ListingRecord, ListingSnapshot } from '@callboard/contract'
import { deployTransaction } from '@callboard/evm'
import { decimalText, isoTime, USDC_DECIMALS } from '@callboard/values'
import type { Listing } from './listing.ts'
import { mergedConformance } from './refresh.ts'

/** Settlements that reached a listing, in base units of USDC. */
export interface Takings {
  readonly calls: number
  readonly callsLast7d: number
  readonly amount: bigint
  readonly amountLast7d: bigint
}

export const noTakings: Takings = { calls: 0, callsLast7d: 0, amount: 0n, amountLast7d: 0n }

const shared = (listing: Listing) => ({
  slug: listing.slug,
  name: listing.name,
  description: listing.description,
  category: listing.category,
  status: listing.status,
  verification: listing.verification,
  group: listing.group,
  provenance: listing.provenance,
  fee: { ...listing.fee },
  operations: [...listing.operations],
  createdAt: isoTime(listing.createdAt),
  listedAt: listing.listedAt === null ? null : isoTime(listing.listedAt),
  updatedAt: isoTime(listing.updatedAt),
})

/** A listing as its owner sees it. */
export function recordOf(listing: Listing, takings: Takings): ListingRecord {
  const { network, payoutWallet, splitter, liveness } = listing
  return {
    ...shared(listing),
    payoutWallet,
    splitter: {
      network,
      address: splitter.address,
      deployed: splitter.deployed,
      deploy: deployTransaction(splitter.factory, payoutWallet),
    },
    liveness,
    calls: { total: takings.calls, last7d: takings.callsLast7d },
    revenue: {
      amountUsd: decimalText(takings.amount, USDC_DECIMALS),
      last7dUsd: decimalText(takings.amountLast7d, USDC_DECIMALS),
    },
  }
}

/** A listing as everybody sees it. */
export const snapshotOf = (listing: Listing): ListingSnapshot => ({
  ...shared(listing),
  version: listing.version,
  payTo: [{ network: listing.network, address: listing.splitter.address }],
  conformance: mergedConformance(listing.conformances),
})
