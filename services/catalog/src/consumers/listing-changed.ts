import type { ListingSnapshot, listingChanged } from '@callboard/contract'
import type { CatalogConsumer } from '../kit.ts'
import { findSnapshot, isRemoved, saveListing } from '../store/listing.repository.ts'
import { lockListing } from '../store/locks.ts'
import { attribute, claimPayees } from '../store/payee.repository.ts'
import type { AskedPriceTable, PayeeClaimTable } from '../store/tables.ts'

export const onListingChanged: CatalogConsumer<typeof listingChanged> = async (snapshot, { tx }) => {
  const { slug, version } = snapshot
  await lockListing(tx, slug)
  const known = await findSnapshot(tx, slug)
  const isNewer = !known || known.version < version
  if (isNewer) await saveListing(tx, snapshot, await isRemoved(tx, slug, version))
  const claimsMore = await claimPayees(tx, claimsOf(snapshot), pricesOf(snapshot))
  const stands = !isNewer || (known?.snapshot.group === snapshot.group && !known.removed)
  if (claimsMore || !stands) await attribute(tx, slug)
}

/** A draft claims nothing, so that nobody can take another's settlements by writing one. */
const mayClaim = ({ status, listedAt }: ListingSnapshot) => status === 'live' || listedAt !== null

/** What a snapshot claims, stale or not: where a listing was paid once stays its own. */
function claimsOf(snapshot: ListingSnapshot): PayeeClaimTable[] {
  if (!mayClaim(snapshot)) return []
  const { slug, payTo, updatedAt } = snapshot
  const distinct = new Map(payTo.map((payee) => [`${payee.network} ${payee.address}`, payee]))
  return [...distinct.values()].map((payee) => ({ ...payee, slug, since: new Date(updatedAt) }))
}

/** What a snapshot asks for its calls. */
function pricesOf(snapshot: ListingSnapshot): AskedPriceTable[] {
  if (!mayClaim(snapshot)) return []
  const asked = snapshot.operations.flatMap(({ price, payment }) =>
    price !== null && payment ? [{ network: payment.network, amount_usd: price }] : [],
  )
  const distinct = new Map(asked.map((one) => [`${one.network} ${one.amount_usd}`, one]))
  return [...distinct.values()].map((one) => ({ ...one, slug: snapshot.slug }))
}
