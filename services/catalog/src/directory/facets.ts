import type { Facets } from '@callboard/contract'
import type { DirectoryIndex } from './directory-index.ts'
import { assetLabel, categoryLabel, networkLabel } from './indexed-listing.ts'
import { type DirectoryQuestion, eachResult, pageOf } from './page.ts'

/** Counting stops at this many results; the counts are then partial and marked as such. */
const MOST_COUNTED = 10_000
/** The most values returned per kind, the most frequent first. */
const MOST_VALUES = 20

/** The prefixes of the labels that are counted. */
const COUNTED = { category: categoryLabel(''), network: networkLabel(''), asset: assetLabel('') }

/** How many results a query has, and how many of them have each category, network and asset. */
export function facetsOf(index: DirectoryIndex, question: DirectoryQuestion): Facets {
  const { postings } = index
  const floor = pageOf(index, question, 1).rows[0]?.place.floor
  const byLabel = new Map<number, number>()
  let total = 0
  if (floor !== undefined) {
    eachResult(index, question, floor, (kept) => {
      total += 1
      for (const label of postings.labelsOf(kept)) byLabel.set(label, (byLabel.get(label) ?? 0) + 1)
      return total < MOST_COUNTED
    })
  }
  const labels = [...byLabel].map(([id, count]) => ({ label: postings.vocabulary.textOf(id), count }))
  const of = (begin: string) =>
    labels
      .filter(({ label }) => label.startsWith(begin))
      .map(({ label, count }) => ({ value: label.slice(begin.length), count }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .slice(0, MOST_VALUES)
  return {
    total,
    isComplete: total < MOST_COUNTED,
    category: of(COUNTED.category),
    network: of(COUNTED.network),
    asset: of(COUNTED.asset),
  }
}
