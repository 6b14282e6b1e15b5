import type { ListingsContext } from '../context.ts'
import type { Listing } from '../domain/listing.ts'
import { lockListedResources, lockMirror } from '../store/mirror.repository.ts'
import type { ListingsTx } from '../store/tables.ts'
import { removeMirrored } from './change-mirrored.ts'

/**
 * Removes the mirrored rows, of any method, of endpoints that their provider listed. A listing goes live only after a
 * probe of endpoints that pay its own splitter, so only who runs an endpoint can remove its row.
 */
export async function yieldToListing(
  ctx: Pick<ListingsContext, 'clock' | 'publish' | 'publishAll'>,
  tx: ListingsTx,
  { status, operations }: Pick<Listing, 'status' | 'operations'>,
): Promise<void> {
  if (status !== 'live' || operations.length === 0) return
  await lockMirror(tx)
  const urls = operations.map(({ url }) => url)
  await removeMirrored(ctx, tx, await lockListedResources(tx, urls))
}
