import { listingChanged } from '@callboard/contract'
import type { Listing } from './domain/listing.ts'
import { snapshotOf } from './domain/views.ts'
import type { ListingsKit } from './kit.ts'
import { saveListing } from './store/listing.repository.ts'
import type { ListingsTx } from './store/tables.ts'

/**
 * Writes a change of a locked listing under its next version, and tells the house. A draft that was never listed is
 * nobody's business but its owner's, so nothing is said of it.
 */
export async function changeListing(
  ctx: Pick<ListingsKit, 'clock' | 'publish'>,
  tx: ListingsTx,
  locked: Listing,
  change: Partial<Listing>,
): Promise<Listing> {
  const changed = { ...locked, ...change, version: locked.version + 1, updatedAt: ctx.clock.now() }
  await saveListing(tx, changed)
  if (changed.listedAt !== null) await ctx.publish(tx, listingChanged, snapshotOf(changed))
  return changed
}
