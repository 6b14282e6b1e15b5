import { refuse } from '@callboard/values'
import type { Listing } from './domain/listing.ts'
import type { Posting } from './domain/posting/posting.ts'
import { verifiedNamesake } from './store/listing.repository.ts'
import type { ListingsTx } from './store/tables.ts'

/** Refuses a name that can be confused with a verified listing of another owner; undefined if it cannot. */
export async function nameRefused(tx: ListingsTx, listing: Pick<Listing, 'owner' | 'name'>) {
  const other = await verifiedNamesake(tx, listing)
  if (other === undefined) return undefined
  const message = `The name can be taken for “${other}”, a verified listing of another owner.`
  return refuse('name_resembles_verified', { field: 'name', message })
}

/** Refuses the title of a posting that can be confused with a verified listing of another owner. */
export async function titleRefused(tx: ListingsTx, { owner, title }: Pick<Posting, 'owner' | 'title'>) {
  const other = await verifiedNamesake(tx, { owner, name: title })
  if (other === undefined) return undefined
  const message = `The title can be taken for “${other}”, a verified listing of another owner.`
  return refuse('invalid_request', { field: 'title', message })
}
