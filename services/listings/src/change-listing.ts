import { type ListingSnapshot, listingChanged, pricesAsked, resourcesSold } from '@callboard/contract'
import type { ListingsContext } from './context.ts'
import { creditAnew } from './credit.ts'
import type { Listing } from './domain/listing.ts'
import { verificationAfter } from './domain/review.ts'
import { snapshotOf } from './domain/views.ts'
import { yieldToListing } from './mirror/yield-to-listing.ts'
import { keepAsked } from './store/asked.repository.ts'
import { saveListing } from './store/listing.repository.ts'
import type { ListingsTx } from './store/tables.ts'

/**
 * Writes a change of a locked listing under its next version, and publishes it. If the change exceeds what was
 * verified, the verification is open again; settlements that a new price may concern are attributed again. A draft that
 * was never listed concerns its owner only, so it is not published.
 */
export async function changeListing(
  ctx: Pick<ListingsContext, 'clock' | 'publish' | 'publishAll' | 'resources'>,
  tx: ListingsTx,
  locked: Listing,
  change: Partial<Listing>,
): Promise<Listing> {
  const next = { ...locked, ...change, version: locked.version + 1, updatedAt: ctx.clock.now() }
  const changed = { ...next, ...verificationAfter(locked, next) }
  await saveListing(tx, changed)
  if (locked.status !== 'live') await yieldToListing(ctx, tx, changed)
  if (changed.listedAt === null) return changed
  const snapshot = snapshotOf(changed)
  await keepAsked(tx, changed)
  await ctx.publish(tx, listingChanged, snapshot)
  if (offeringOf(snapshotOf(locked)) !== offeringOf(snapshot)) await creditAnew(ctx.resources.chains, tx, changed)
  return changed
}

/** The parts of a snapshot that settlements are attributed by. */
const offeringOf = (snapshot: ListingSnapshot): string =>
  JSON.stringify([pricesAsked(snapshot), resourcesSold(snapshot)])
