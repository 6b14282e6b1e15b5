import { changeListing } from './change-listing.ts'
import type { ListingsContext } from './context.ts'
import type { Listing } from './domain/listing.ts'
import { transition } from './domain/status.ts'
import type { ListingsTx } from './store/tables.ts'

/**
 * Takes a locked live listing offline, with a reason shown to its owner. To return, it takes `revise`, then `activate`.
 * @throws Error for a listing that is not live
 */
export async function suspend(
  ctx: Pick<ListingsContext, 'clock' | 'publish' | 'publishAll' | 'resources'>,
  tx: ListingsTx,
  locked: Listing,
  suspendedReason: string,
): Promise<void> {
  const next = transition(locked, 'suspend')
  if (!next) throw new Error(`${locked.slug} is ${locked.status}: there is nothing to suspend`)
  await changeListing(ctx, tx, locked, { ...next, suspendedReason })
}
