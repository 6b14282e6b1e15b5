import type { BaseUnits } from '@callboard/values'
import type { Listing } from './listing.ts'

/**
 * Which of the listings behind one splitter a settlement paid. Listings of one payout wallet share their splitter, and
 * the chain knows no URL: so it is the oldest live one that asks exactly this amount, else the oldest that does, else
 * the oldest of all.
 * @param sharing oldest first
 */
export function listingPaid(sharing: readonly Listing[], amount: BaseUnits): Listing | undefined {
  const asking = sharing.filter(({ operations }) => operations.some(({ payment }) => payment?.amount === amount))
  return asking.find(({ status }) => status === 'live') ?? asking[0] ?? sharing[0]
}
