import type { ListingSnapshot, listingChanged } from '@callboard/contract'
import { standingOf } from '../domain/standing.ts'
import type { CatalogConsumer } from '../kit.ts'
import { checksOf } from '../store/check.repository.ts'
import { findSnapshot, isRemoved, saveListing } from '../store/listing.repository.ts'
import { lockListing } from '../store/locks.ts'
import { attribute, claimPayees } from '../store/payee.repository.ts'
import type { PayeeClaimTable } from '../store/tables.ts'

export const onListingChanged: CatalogConsumer<typeof listingChanged> = async (snapshot, { tx }) => {
  const { slug, version } = snapshot
  await lockListing(tx, slug)
  const known = await findSnapshot(tx, slug)
  if (!known || known.version < version) {
    const removed = await isRemoved(tx, slug, version)
    await saveListing(tx, snapshot, removed, standingOf(snapshot, removed, await checksOf(tx, slug)))
  }
  await claimPayees(tx, claimsOf(snapshot))
  await attribute(tx, slug)
}

/**
 * What a snapshot claims, stale or not: where a listing was paid once stays its own. A draft claims nothing, so that
 * nobody can take another's settlements by writing one.
 */
function claimsOf({ slug, status, listedAt, payTo, updatedAt }: ListingSnapshot): PayeeClaimTable[] {
  if (status !== 'live' && listedAt === null) return []
  const distinct = new Map(payTo.map((payee) => [`${payee.network} ${payee.address}`, payee]))
  return [...distinct.values()].map((payee) => ({ ...payee, slug, since: new Date(updatedAt) }))
}
