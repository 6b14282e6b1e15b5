import { type ListingRecord, Slug } from '@callboard/contract'
import { NoListing, Usage } from '../exit-codes.ts'
import type { Seller } from './seller.ts'

/** The seller's listing of a slug. @throws Usage, NoListing */
export async function ownListing(seller: Seller, slug: string): Promise<ListingRecord> {
  if (!Slug.safeParse(slug).success) throw new Usage(`${slug} is not the slug of a listing, for example tide-tables`)
  const own = (await seller.listings()).find((listing) => listing.slug === slug)
  if (own) return own
  throw new NoListing(`You have no listing ${slug}. To see yours: callboard sell status`)
}

/** The slug of a command that takes one. @throws Usage */
export function slugIn(words: readonly string[], verb: string): string {
  const [slug, ...more] = words
  if (slug === undefined || more.length > 0) throw new Usage(`sell ${verb} takes one slug`)
  return slug
}
