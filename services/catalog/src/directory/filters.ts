import type { ItemKind } from '@callboard/contract'
import type { Filters } from '../domain/filters.ts'
import { costsMoreThan, isLess } from '../domain/price.ts'
import type { DirectoryIndex, Kept } from './directory-index.ts'
import { kindLabels } from './indexed-posting.ts'
import { assetLabel, categoryLabel, networkLabel, payToLabel } from './labels.ts'
import type { Offer } from './offers.ts'

/** The filters as words of the index; undefined if no listing has one of them. */
export function labelsOf(
  { postings }: DirectoryIndex,
  { kinds, category, ...filters }: Filters & { readonly kinds?: readonly ItemKind[] },
): readonly number[] | undefined {
  const labels = [
    ...kindLabels(kinds),
    ...(category === undefined ? [] : [categoryLabel(category)]),
    ...offerLabels(filters),
  ]
  const ids = labels.flatMap((label) => postings.vocabulary.idOf(label) ?? [])
  return ids.length === labels.length ? ids : undefined
}

/** The labels that one and the same offer must have. */
const offerLabels = ({ network, asset, payTo }: Filters): readonly string[] => [
  ...(network === undefined ? [] : [networkLabel(network)]),
  ...(asset === undefined ? [] : [assetLabel(asset)]),
  ...(payTo === undefined ? [] : [payToLabel(payTo)]),
]

/** Whether a query restricts listings by more than words and kind. */
export const isFilter = ({ maxPrice, minUptime }: Filters, labels: readonly number[]): boolean =>
  labels.length > 0 || maxPrice !== undefined || minUptime !== undefined

/**
 * Whether the numbers that are kept beside a listing show that it does not satisfy the filters: then it is not read. A
 * filter that hardly any listing satisfies would otherwise have a page read them all.
 */
export function ruledOutBy(index: DirectoryIndex, { maxPrice, minUptime }: Filters): (position: number) => boolean {
  if (maxPrice === undefined && minUptime === undefined) return () => false
  const isTooDear = maxPrice === undefined ? () => false : costsMoreThan(maxPrice)
  const lowest = minUptime ?? 0
  return (position) => isTooDear(index.lowestPriceAt(position)) || index.uptimeAt(position) < lowest
}

/** Whether a listing satisfies all filters, given their labels. */
export function filterOf({ postings }: DirectoryIndex, filters: Filters, labels: readonly number[]) {
  const { maxPrice, minUptime } = filters
  const ofOffer = offerLabels(filters).flatMap((label) => postings.vocabulary.idOf(label) ?? [])
  const isAffordable = (price: string) => maxPrice === undefined || !isLess(maxPrice, price)
  const isAskedFor = ({ labels: has, price }: Offer<number>) =>
    ofOffer.every((label) => has.includes(label)) && isAffordable(price)
  return (kept: Kept): boolean => {
    if (minUptime !== undefined && kept.uptime7d < minUptime) return false
    if (!isAffordable(kept.lowestPrice)) return false
    if (!labels.every((label) => postings.isLabelled(kept, label))) return false
    return ofOffer.length === 0 || !kept.offers || kept.offers.some(isAskedFor)
  }
}
