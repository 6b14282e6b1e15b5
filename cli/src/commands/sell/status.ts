import type { ListingRecord } from '@callboard/contract'
import type { Command } from '../../command.ts'
import { EXIT, Usage } from '../../exit-codes.ts'
import { nextStep } from '../../selling/next-step.ts'
import { ownListing } from '../../selling/own-listing.ts'
import { sellerOf } from '../../selling/seller.ts'

/** `callboard sell status`: the seller's listings, what they earned, and what to do next. */
export const sellStatus: Command = {
  usage: 'sell status [SLUG]',
  options: {},
  takesWords: true,
  async run({ settings, print, words }) {
    const [slug, ...more] = words
    if (more.length > 0) throw new Usage('sell status takes at most one slug')
    const seller = sellerOf(settings)
    const shown = slug === undefined ? await seller.listings() : [await ownListing(seller, slug)]
    const listings = shown.map((listing) => ({ ...listing, next: nextStep(listing) ?? null }))
    print.result({ listings }, shown.length === 0 ? ['You have no listings.'] : shown.flatMap(linesOf))
    return EXIT.ok
  },
}

function linesOf(listing: ListingRecord): string[] {
  const { slug, name, status, verification, calls, revenue, operations, splitter } = listing
  const next = nextStep(listing)
  const reviewed = { none: 'not verified', requested: 'review requested', verified: 'verified' }[verification]
  return [
    `${slug}  ${status}${status === 'live' ? `, ${reviewed}` : ''}  ${name}`,
    `  calls ${calls.total} (${calls.last7d} in 7 days), revenue ${revenue.amountUsd} USD (${revenue.last7dUsd})`,
    ...(splitter
      ? [`  paid to ${splitter.address} on ${splitter.network}${splitter.deployed ? '' : ', not deployed'}`]
      : []),
    ...operations.map(
      ({ method, url, price, problem }) =>
        `  ${method} ${url}  ${price ?? 'no'} USD${problem ? `  problem: ${problem}` : ''}`,
    ),
    ...(next ? [`  next  ${next}`] : []),
  ]
}
