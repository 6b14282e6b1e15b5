import type { listingRemoved } from '@callboard/contract'
import type { CatalogConsumer } from '../context.ts'
import { findSnapshot, hideListing, keepRemoval } from '../store/listing.repository.ts'
import { lockListing } from '../store/locks.ts'
import { attribute } from '../store/payee.repository.ts'

export const onListingRemoved: CatalogConsumer<typeof listingRemoved> = async ({ slug, version }, { tx, envelope }) => {
  await lockListing(tx, slug)
  await keepRemoval(tx, slug, version, new Date(envelope.occurredAt))
  const known = await findSnapshot(tx, slug)
  if (known && known.version <= version) await hideListing(tx, slug)
  await attribute(tx, slug)
}
