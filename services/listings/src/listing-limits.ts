import { refuse } from '@callboard/values'
import { sitesOf } from '@callboard/values/site'
import type { ListingsContext } from './context.ts'
import type { Listing } from './domain/listing.ts'
import { heldBy, heldOn, lockLimits } from './store/limits.repository.ts'
import type { ListingsTx } from './store/tables.ts'

/**
 * The refusal of a listing beyond the limit of an owner or of a site. Owners cost nothing, so the total is bounded by
 * site, each of which costs a domain. Drafts that do not pay their own splitter yet prove nothing about who runs the
 * site: they are counted separately, so that third parties' drafts take no place from its provider.
 * @param listing in its new state; an existing one does not count against itself
 */
export async function limitRefused(ctx: Pick<ListingsContext, 'config'>, tx: ListingsTx, listing: Listing) {
  const { LISTINGS_PER_OWNER: perOwner, LISTINGS_PER_SITE: perSite } = ctx.config
  const { owner, slug } = listing
  const sites = sitesOf(listing.operations)
  await lockLimits(tx, [`owner:${owner}`, ...sites.map((site) => `site:${site}`)])
  if ((await heldBy(tx, owner, slug)) >= perOwner) {
    const message = `An owner can have at most ${perOwner} listings, drafts included. Withdraw one that you do not need.`
    return refuse('listing_limit', { message, details: { scope: 'owner', limit: perOwner } })
  }
  for (const site of sites) {
    if ((await heldOn(tx, site, paysItself(listing), slug)) < perSite) continue
    const index = listing.operations.findIndex(({ url }) => sitesOf([{ url }]).includes(site))
    const message = `The limit of ${perSite} listings on ${site} is reached. Withdraw one of them that you do not need.`
    const field = `operations.${index}.url`
    return refuse('listing_limit', { field, message, details: { scope: 'site', limit: perSite } })
  }
  return undefined
}

const paysItself = ({ operations, splitter }: Listing): boolean =>
  operations.every(({ payment }) => payment?.payTo === splitter.address)
