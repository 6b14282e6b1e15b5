import type { DiscoveryItem, PostingKind, PostingSnapshot } from '@callboard/contract'
import type { Filters } from './filters.ts'
import { shortened } from './shortened.ts'

/** The label of a posting's amount. */
const AMOUNT: Readonly<Record<PostingKind, string>> = { service_offer: 'price', open_request: 'budget' }

/**
 * A posting as discovery shows it. It cannot be paid through Callboard: `execution` says where its poster wants to be
 * contacted, and the card marks it as their claim.
 * @param filters the asset shown is one that matches them
 */
export function postingItem(posting: PostingSnapshot, filters: Filters = {}): DiscoveryItem {
  const { id, kind, title, description, amountUsd, contactUrl, postedBy, hasVerifiedListing, expiresAt } = posting
  const network = shownNetwork(posting, filters)
  return {
    ref: id,
    card: {
      title,
      summary: shortened(description),
      byline: `${URL.parse(contactUrl)?.host ?? contactUrl}, posted by ${postedBy}`,
      badges: [
        { code: 'claimed', label: 'The poster’s word' },
        ...(hasVerifiedListing ? [{ code: 'verified_listing', label: 'The poster has a verified listing' }] : []),
      ],
      facts: [
        { label: AMOUNT[kind], value: `$${amountUsd} (claimed)` },
        { label: 'network', value: `${network} (claimed)` },
        { label: 'posted by', value: postedBy },
        { label: 'expires', value: expiresAt },
      ],
    },
    kind,
    provenance: 'self_listed',
    group: 'added',
    fee: { bps: 0, label: 'no network fee' },
    verification: 'none',
    execution: { mode: 'unavailable', url: contactUrl, method: 'GET', network, payable: false },
    action: { type: 'view_posting', href: `/api/call/postings/${id}` },
  }
}

function shownNetwork({ id, accepts }: PostingSnapshot, filters: Filters) {
  const shown = accepts.find((one) => isAskedFor(one, filters)) ?? accepts[0]
  if (!shown) throw new Error(`Posting ${id} names no asset`)
  return shown.network
}

/** Whether an asset has the requested network and token. */
const isAskedFor = (
  accepted: PostingSnapshot['accepts'][number],
  { network, asset }: Pick<Filters, 'network' | 'asset'>,
): boolean =>
  (network === undefined || accepted.network === network) &&
  (asset === undefined || accepted.asset.toLowerCase() === asset.toLowerCase())
