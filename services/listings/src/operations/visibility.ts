import { catalog, type ListingSnapshot, type listings, livenessProber } from '@callboard/contract'
import { isRefusal, refuse } from '@callboard/values'
import { isHeld } from '../claims/held-by.ts'
import { type ListingsCallingContext, type ListingsHandler, ownerOf } from '../context.ts'
import { mirrorSnapshot } from '../domain/mirror/mirror-view.ts'
import { snapshotOf } from '../domain/views.ts'
import { listingVisibility } from '../domain/visibility/listing-visibility.ts'
import { findOwned } from '../store/listing.repository.ts'
import { findMirrored } from '../store/mirror.repository.ts'

/** Its owner alone is told: a draft, and why a listing is offline, are nobody else's business. */
export const visibility: ListingsHandler<typeof listings.visibility> = async ({ slug, q }, ctx) => {
  const owned = await ownedSnapshot(ctx, slug)
  if (!owned) return refuse('not_found')
  const [places, watched] = await Promise.all([
    ctx.call(catalog.places, { slug, ...(q === undefined ? {} : { q }) }),
    ctx.call(livenessProber.targets, { slug }),
  ])
  if (isRefusal(places)) return places
  if (isRefusal(watched)) return watched
  const facts = {
    ...owned,
    indexedVersion: places.version,
    endpoints: watched.targets,
    reviewDays: ctx.config.REVIEW_DAYS,
  }
  return listingVisibility(facts, places)
}

/** A listing as everybody would see it, and why it was taken down. */
async function ownedSnapshot(
  { db, caller }: ListingsCallingContext & { readonly caller: Parameters<typeof ownerOf>[0] },
  slug: string,
): Promise<{ snapshot: ListingSnapshot; takenDownFor: string | null } | undefined> {
  const owner = ownerOf(caller)
  const listing = await findOwned(db, slug, owner)
  if (listing) {
    const { rejection, suspendedReason } = listing
    return { snapshot: snapshotOf(listing), takenDownFor: rejection ? rejection.reason : suspendedReason }
  }
  const row = await findMirrored(db, slug)
  if (!isHeld(row) || row.owner !== owner) return undefined
  return { snapshot: mirrorSnapshot(row), takenDownFor: row.held.rejection?.reason ?? row.reason }
}
