import type { PostingKind } from '@callboard/contract'
import { checkSummaryOf, type EndpointCheck, isPriced } from '../domain/check-summary.ts'
import type { ListedSnapshot } from '../domain/listed.ts'
import { lowestPrice } from '../domain/price.ts'
import { groupRank, MAX_TRUST, trust } from '../domain/ranking.ts'
import { searchText } from '../domain/search-text.ts'
import { NO_USAGE, type Usage } from '../domain/usage.ts'
import { assetLabel, facetLabels, networkLabel, payToLabel, VOUCHED_FOR } from './labels.ts'
import { distinctOffers, type Offer } from './offers.ts'
import { placeKey } from './place-key.ts'
import { type ShownText, seenText, snapshotText } from './shown-text.ts'
import { tieBreak } from './tie-break.ts'

/** A published listing with its checks, as stored in the tables. */
export interface DirectoryRecord {
  readonly slug: string
  /** A `ListedSnapshot` as JSON. */
  readonly snapshot: string
  readonly checks: readonly EndpointCheck[]
  readonly usage: Usage
}

/** What the index needs to know about a posting besides its words. */
export interface PostingTerms {
  readonly kind: PostingKind
  readonly expiresAtMs: number
}

/** A published listing or an open posting in the form that the index takes. */
export interface IndexedListing extends ShownText {
  readonly slug: string
  /** Its `placeKey`. */
  readonly key: number
  /** Its `tieBreak`. */
  readonly tieBreak: number
  readonly name: string
  /** Other text by which it is found. */
  readonly text: string
  /** Its labels that facets count, each once. */
  readonly facets: readonly string[]
  /** The other labels by which it is filtered. */
  readonly labels: readonly string[]
  /** Whether it is our own, or verified. */
  readonly isVouchedFor: boolean
  /** When one of its endpoints was last up; 0 if never. */
  readonly okAtMs: number
  readonly uptime7d: number
  /** The lowest among its priced endpoints. */
  readonly lowestPrice: string
  /** Whether one of its endpoints may match a filter that another does not. */
  readonly hasSeveralOffers: boolean
  /** The ways in which it is paid. */
  readonly offers: readonly Offer<string>[]
  /** Present on postings, which are not APIs; absent on listings. */
  readonly posting?: PostingTerms
}

export function indexedListing({ slug, snapshot, checks, usage: paid }: DirectoryRecord): IndexedListing {
  const listing = JSON.parse(snapshot) as ListedSnapshot
  // The payee of a mirrored resource is its own word: anyone can name a busy wallet, and would be shown its calls.
  const usage = listing.group === 'external' ? NO_USAGE : paid
  const checkSummary = checkSummaryOf(listing, checks)
  const { staleness, okAt, liveness, conformance } = checkSummary
  const distrust = MAX_TRUST - trust({ verification: listing.verification, liveness, conformance, usage })
  const isVouchedFor = listing.group === 'svc' || listing.verification === 'verified'
  const offers = listing.operations.filter(isPriced)
  const payments = offers.map(({ payment }) => payment)
  return {
    slug,
    snapshot: snapshotText(listing),
    seen: seenText({ ...checkSummary, calls: usage.calls }),
    key: placeKey({ groupRank: groupRank(listing.group), distrust, staleness }),
    tieBreak: tieBreak(
      Date.parse(listing.listedAt ?? listing.createdAt),
      listing.provenance === 'indexed' ? slug : undefined,
    ),
    name: listing.name,
    text: searchText(listing),
    facets: facetLabels(listing.category, payments),
    labels: [...new Set(payments.map(({ payTo }) => payToLabel(payTo))), ...(isVouchedFor ? [VOUCHED_FOR] : [])],
    isVouchedFor,
    okAtMs: okAt?.getTime() ?? 0,
    uptime7d: liveness.uptime7d,
    lowestPrice: lowestPrice(offers.map(({ price }) => price)),
    hasSeveralOffers: offers.length > 1,
    offers: distinctOffers(
      offers.map(({ price, payment: { network, asset, payTo } }) => ({
        labels: [networkLabel(network), assetLabel(asset), payToLabel(payTo)],
        price,
      })),
    ),
  }
}
