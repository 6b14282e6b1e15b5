import type { PostingKind } from '@callboard/contract'
import { checkSummaryOf, type EndpointCheck, isPriced } from '../domain/check-summary.ts'
import type { ListedSnapshot } from '../domain/listed.ts'
import { lowestPrice } from '../domain/price.ts'
import { groupRank, MAX_TRUST, trust } from '../domain/ranking.ts'
import { searchText } from '../domain/search-text.ts'
import type { Usage } from '../domain/usage.ts'
import { placeKey } from './place-key.ts'
import { type ShownText, seenText, snapshotText } from './shown-text.ts'

/** A published listing with its checks, as the tables hold them. */
export interface DirectoryRecord {
  readonly slug: string
  /** A `ListedSnapshot` as JSON. */
  readonly snapshot: string
  readonly checks: readonly EndpointCheck[]
  readonly usage: Usage
}

/** What of a posting the register has to know beside its words. */
export interface PostingTerms {
  readonly kind: PostingKind
  readonly expiresAtMs: number
}

/** A published listing or an open posting as the register takes it. */
export interface IndexedListing extends ShownText {
  readonly slug: string
  /** Its `placeKey`. */
  readonly key: number
  readonly name: string
  /** What else it is found by. */
  readonly text: string
  /** What it is filtered by. */
  readonly labels: readonly string[]
  /** Our own, or verified. */
  readonly isVouchedFor: boolean
  /** When one of its endpoints was last up; 0 for never. */
  readonly okAtMs: number
  readonly uptime7d: number
  /** Of its priced endpoints. */
  readonly lowestPrice: string
  /** One of its endpoints may have what another lacks. */
  readonly hasSeveralOffers: boolean
  /** Of a posting, which is no API; absent of a listing. */
  readonly posting?: PostingTerms
}

/** Labels begin with a blank, so that they are no words. */
export const networkLabel = (network: string): string => ` network ${network}`
export const categoryLabel = (category: string): string => ` category ${category}`
export const assetLabel = (asset: string): string => ` asset ${asset.toLowerCase()}`
export const payToLabel = (payTo: string): string => ` payTo ${payTo.toLowerCase()}`
export const VOUCHED_FOR = ' vouched for'

export function indexedListing({ slug, snapshot, checks, usage }: DirectoryRecord): IndexedListing {
  const listing = JSON.parse(snapshot) as ListedSnapshot
  const checkSummary = checkSummaryOf(listing, checks)
  const { staleness, okAt, liveness, conformance } = checkSummary
  const distrust = MAX_TRUST - trust({ verification: listing.verification, liveness, conformance, usage })
  const isVouchedFor = listing.group === 'svc' || listing.verification === 'verified'
  const offers = listing.operations.filter(isPriced)
  const labels = offers.flatMap(({ payment: { network, asset, payTo } }) => [
    networkLabel(network),
    assetLabel(asset),
    payToLabel(payTo),
  ])
  return {
    slug,
    snapshot: snapshotText(listing),
    seen: seenText({ ...checkSummary, calls: usage.calls }),
    key: placeKey({ groupRank: groupRank(listing.group), distrust, staleness }),
    name: listing.name,
    text: searchText(listing),
    labels: [categoryLabel(listing.category), ...new Set(labels), ...(isVouchedFor ? [VOUCHED_FOR] : [])],
    isVouchedFor,
    okAtMs: okAt?.getTime() ?? 0,
    uptime7d: liveness.uptime7d,
    lowestPrice: lowestPrice(offers.map(({ price }) => price)),
    hasSeveralOffers: offers.length > 1,
  }
}
