import type { Listing } from './domain/listing.ts'
import { repeatsRejected } from './domain/rejection.ts'
import { rejectedOf } from './store/listing.repository.ts'
import type { ListingsTx } from './store/tables.ts'

/**
 * Refuses what repeats another listing of its owner or payout wallet that the operator rejected or suspended; undefined
 * if it repeats none. For a rename, whose operations do not change, it is given none.
 */
export async function repeatRefused(
  tx: ListingsTx,
  listing: Pick<Listing, 'slug' | 'owner' | 'payoutWallet' | 'name' | 'operations'>,
) {
  const rejected = await rejectedOf(tx, listing)
  return repeatsRejected(
    listing,
    rejected.filter(({ slug }) => slug !== listing.slug),
  )
}
