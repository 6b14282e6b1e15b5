import type { ItemKind } from '@callboard/contract'
import { isPriced } from '../domain/check-summary.ts'
import { type Filters, isOffered } from '../domain/filters.ts'
import { isAccepted } from '../domain/posting-card.ts'
import { isLess } from '../domain/price.ts'
import type { DirectoryIndex, Kept } from './directory-index.ts'
import { assetLabel, categoryLabel, networkLabel, payToLabel } from './indexed-listing.ts'
import { kindLabels, postingOf } from './indexed-posting.ts'
import { listedOf } from './shown-text.ts'

/** The filters as words of the index; undefined if no listing has one of them. */
export function labelsOf(
  { postings }: DirectoryIndex,
  { kinds, category, network, asset, payTo }: Filters & { readonly kinds?: readonly ItemKind[] },
): readonly number[] | undefined {
  const labels = [
    ...kindLabels(kinds),
    ...(category === undefined ? [] : [categoryLabel(category)]),
    ...(network === undefined ? [] : [networkLabel(network)]),
    ...(asset === undefined ? [] : [assetLabel(asset)]),
    ...(payTo === undefined ? [] : [payToLabel(payTo)]),
  ]
  const ids = labels.flatMap((label) => postings.vocabulary.idOf(label) ?? [])
  return ids.length === labels.length ? ids : undefined
}

/** Whether a query restricts listings by more than words and kind. */
export const isFilter = ({ maxPrice, minUptime }: Filters, labels: readonly number[]): boolean =>
  labels.length > 0 || maxPrice !== undefined || minUptime !== undefined

/** Whether a listing satisfies all filters, given their labels. */
export function filterOf({ postings }: DirectoryIndex, filters: Filters, labels: readonly number[]) {
  const { network, asset, payTo, maxPrice, minUptime } = filters
  const ofOffers = [network, asset, payTo, maxPrice].filter((one) => one !== undefined).length
  return (kept: Kept): boolean => {
    if (minUptime !== undefined && kept.uptime7d < minUptime) return false
    if (maxPrice !== undefined && isLess(maxPrice, kept.lowestPrice)) return false
    if (!labels.every((label) => postings.isLabelled(kept, label))) return false
    if (ofOffers < 2 || !kept.hasSeveralOffers) return true
    if (kept.posting) return isAccepted(postingOf(kept), filters)
    return listedOf(kept).snapshot.operations.some((operation) => isPriced(operation) && isOffered(operation, filters))
  }
}
