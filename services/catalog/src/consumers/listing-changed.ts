import {
  type ListingSnapshot,
  type listingChanged,
  mayClaim,
  PRICE_GRACE_MS,
  pricesAsked,
  resourcesSold,
} from '@callboard/contract'
import type { CatalogConsumer } from '../context.ts'
import { offered } from '../domain/entry/offered.ts'
import { groupRank } from '../domain/ranking.ts'
import { keepAsked } from '../store/asked.repository.ts'
import { claimPayees } from '../store/claim.repository.ts'
import { findSnapshot, isRemoved, saveListing } from '../store/listing.repository.ts'
import { lockListing } from '../store/locks.ts'
import { attribute } from '../store/payee.repository.ts'
import type { PayeeClaimTable } from '../store/tables.ts'

export const onListingChanged: CatalogConsumer<typeof listingChanged> = async (snapshot, { tx }) => {
  const { slug, version } = snapshot
  await lockListing(tx, slug)
  const known = await findSnapshot(tx, slug)
  const isNewer = !known || known.version < version
  if (isNewer) await saveListing(tx, snapshot, await isRemoved(tx, slug, version))
  const claimsMore = await claimPayees(tx, claimsOf(snapshot))
  const since = new Date(snapshot.updatedAt)
  const prices = JSON.stringify(pricesAsked(snapshot))
  const resources = JSON.stringify(resourcesSold(snapshot))
  const offers = offersOf(snapshot)
  const asksAnew = mayClaim(snapshot) && (await keepAsked(tx, { slug, version, since, prices, resources, offers }))
  const stands = !isNewer || (known?.snapshot.group === snapshot.group && !known.removed)
  const fell = isNewer && known !== undefined && groupRank(snapshot.group) > groupRank(known.snapshot.group)
  if (claimsMore || !stands) await attribute(tx, slug, fell ? 'beginning' : undefined)
  else if (asksAnew) await attribute(tx, slug, new Date(since.getTime() - PRICE_GRACE_MS))
}

const offersOf = (snapshot: ListingSnapshot): string | null => {
  const offers = offered(snapshot)
  return offers ? JSON.stringify(offers) : null
}

/** The claims of a snapshot, even a stale one: a listing keeps every address at which it was ever paid. */
function claimsOf(snapshot: ListingSnapshot): PayeeClaimTable[] {
  if (!mayClaim(snapshot)) return []
  const { slug, payTo, updatedAt } = snapshot
  const distinct = new Map(payTo.map((payee) => [`${payee.network} ${payee.address}`, payee]))
  return [...distinct.values()].map((payee) => ({ ...payee, slug, since: new Date(updatedAt) }))
}
