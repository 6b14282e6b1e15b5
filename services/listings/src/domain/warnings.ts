import { type ListingOperation, type ListingWarning, resourceOf } from '@callboard/contract'
import type { Listing } from './listing.ts'

/** Another listing of the payout wallet that is not withdrawn: what it sells, and for how much. */
export interface Neighbour extends Pick<Listing, 'slug' | 'owner' | 'status'> {
  readonly operations: readonly Pick<ListingOperation, 'url' | 'price'>[]
}

/**
 * Warns if it will be unclear which listing of a payout wallet was called: another one asks the same price, or sells
 * the same URL. Drafts of other owners are not named: they are not public.
 * @param sharing the listings that are paid through the same splitter, with or without this one
 */
export function warningsOf(
  listing: Pick<Listing, 'slug' | 'owner' | 'operations'>,
  sharing: readonly Neighbour[],
): ListingWarning[] {
  const others = sharing.filter(
    ({ slug, owner, status }) => slug !== listing.slug && (owner === listing.owner || status === 'live'),
  )
  return listing.operations.flatMap(({ name, url, price }, index): ListingWarning[] => {
    const selling = others.find(({ operations }) => operations.some((one) => resourceOf(one.url) === resourceOf(url)))
    if (selling) {
      const message = `${name}: ${selling.slug} is paid by the same payout wallet and sells the same URL, so payments at one price count as shared by both.`
      return [{ code: 'shared_resource', field: `operations.${index}.url`, message }]
    }
    const asking = others.find(({ operations }) => price !== null && operations.some((one) => one.price === price))
    if (!asking) return []
    const message = `${name}: ${asking.slug} is paid by the same payout wallet and also asks ${price}. A payment counts as shared by both if its resource is not known: settle through this facilitator with the resource named, or ask another price.`
    return [{ code: 'shared_price', field: `operations.${index}.url`, message }]
  })
}

/** Warns if a draft's endpoint does not pay the splitter yet: it cannot be activated until it does. */
export function payeeWarnings({ operations, network, splitter }: Pick<Listing, 'operations' | 'network' | 'splitter'>) {
  return operations.flatMap(({ name, payment }, index): ListingWarning[] => {
    if (payment?.payTo === splitter.address) return []
    const message = `${name}: its offer does not pay your fee splitter. Set payTo of its entry on ${network} to ${splitter.address} before you activate the listing.`
    return [{ code: 'not_paid_to_splitter', field: `operations.${index}.url`, message }]
  })
}

/** What an owner should know who searches for a live listing and does not find it. */
export function searchWarnings({ status, verification }: Pick<Listing, 'status' | 'verification'>): ListingWarning[] {
  if (status !== 'live' || verification === 'verified') return []
  const message =
    'The listing is live and can be paid. Search shows it with includeUnverified=true. Ask for verification (action request_verification): once the operator has verified it, the default results show it too.'
  return [{ code: 'hidden_until_verified', field: 'verification', message }]
}
