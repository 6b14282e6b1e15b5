import type { ItemKind, PostingSnapshot } from '@callboard/contract'
import { freshness, groupRank, MAX_TRUST } from '../domain/ranking.ts'
import type { IndexedListing } from './indexed-listing.ts'
import { assetLabel, facetLabels, networkLabel, VOUCHED_FOR } from './labels.ts'
import { distinctOffers } from './offers.ts'
import { placeKey } from './place-key.ts'
import { tieBreak } from './tie-break.ts'

/** No slug begins like a posting's id. */
export const isPostingId = (ref: string): boolean => ref.startsWith('posting_')

const POSTING = ' posting'
const kindLabel = (kind: ItemKind): string => ` kind ${kind}`

/** The labels that every result has if no API is asked for; listings have none of them. */
export function kindLabels(kinds: readonly ItemKind[] = ['api']): readonly string[] {
  if (kinds.includes('api')) return []
  const [only, ...others] = kinds
  return only === undefined || others.length > 0 ? [POSTING] : [kindLabel(only)]
}

/**
 * A posting in the form that the index takes. It ranks among owners' listings, after those that were ever seen up;
 * postings are ordered by creation, newest first, so that renewing one does not lift it.
 * @param text a `PostingSnapshot` as JSON
 */
export function indexedPosting(text: string): IndexedListing {
  const posting = JSON.parse(text) as PostingSnapshot
  const { id, kind, title, description, category, accepts, amountUsd, contactUrl, hasVerifiedListing } = posting
  const createdAtMs = Date.parse(posting.createdAt)
  return {
    slug: id,
    snapshot: text,
    seen: '',
    key: placeKey({
      groupRank: groupRank('added'),
      distrust: MAX_TRUST,
      staleness: -freshness(createdAtMs),
    }),
    tieBreak: tieBreak(-createdAtMs),
    name: title,
    text: [category, description, URL.parse(contactUrl)?.host ?? ''].join('\n'),
    facets: facetLabels(category, accepts),
    labels: [POSTING, kindLabel(kind), ...(hasVerifiedListing ? [VOUCHED_FOR] : [])],
    isVouchedFor: hasVerifiedListing,
    okAtMs: 0,
    uptime7d: 0,
    lowestPrice: amountUsd,
    hasSeveralOffers: accepts.length > 1,
    offers: distinctOffers(
      accepts.map(({ network, asset }) => ({ labels: [networkLabel(network), assetLabel(asset)], price: amountUsd })),
    ),
    posting: { kind, expiresAtMs: Date.parse(posting.expiresAt) },
  }
}

/** The posting in the form that is shown. */
export const postingOf = ({ snapshot }: Pick<IndexedListing, 'snapshot'>): PostingSnapshot => JSON.parse(snapshot)
