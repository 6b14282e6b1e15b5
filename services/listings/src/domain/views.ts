import type { ListingRecord, ListingSnapshot } from '@callboard/contract'
import { deployTransaction } from '@callboard/evm'
import { decimalText, isoTime, USDC_DECIMALS } from '@callboard/values'
import type { Listing } from './listing.ts'
import { mergedConformance } from './refresh.ts'
import { shownRejection } from './rejection.ts'

/** Settlements that reached a listing, in base units of USDC: its calls, and separately other transfers. */
export interface TotalsPart {
  readonly calls: number
  readonly callsLast7d: number
  readonly amount: bigint
  readonly amountLast7d: bigint
  readonly transfers: number
  readonly amountTransferred: bigint
}

/** A listing's own settlements, and those it shares with other listings of its payout wallet. */
export interface Totals extends TotalsPart {
  readonly shared: TotalsPart
}

export const noPart: TotalsPart = {
  calls: 0,
  callsLast7d: 0,
  amount: 0n,
  amountLast7d: 0n,
  transfers: 0,
  amountTransferred: 0n,
}

export const noTotals: Totals = { ...noPart, shared: noPart }

const common = (listing: Listing) => ({
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
export function recordOf(listing: Listing, totals: Totals): ListingRecord {
  const { network, payoutWallet, splitter, liveness } = listing
  return {
    ...common(listing),
    suspendedReason: listing.suspendedReason,
    ...shownRejection(listing.rejection),
    payoutWallet,
    splitter: {
      network,
      address: splitter.address,
      deployed: splitter.deployed,
      deploy: deployTransaction(splitter.factory, payoutWallet),
    },
    liveness,
    ...sums(totals),
    shared: sums(totals.shared),
  }
}

/** Sums in the form that is shown. */
export const sums = ({ calls, callsLast7d, amount, amountLast7d, transfers, amountTransferred }: TotalsPart) => ({
  calls: { total: calls, last7d: callsLast7d },
  revenue: {
    amountUsd: decimalText(amount, USDC_DECIMALS),
    last7dUsd: decimalText(amountLast7d, USDC_DECIMALS),
  },
  transfers: { total: transfers, amountUsd: decimalText(amountTransferred, USDC_DECIMALS) },
})

/** A listing as everyone sees it. */
export const snapshotOf = (listing: Listing): ListingSnapshot => ({
  ...common(listing),
  version: listing.version,
  payTo: [{ network: listing.network, address: listing.splitter.address }],
  conformance: mergedConformance(listing.conformances),
})
