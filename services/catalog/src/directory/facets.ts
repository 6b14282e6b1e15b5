import type { Facets } from '@callboard/contract'
import type { DirectoryIndex } from './directory-index.ts'
import { assetLabel, categoryLabel, networkLabel } from './labels.ts'
import { eachResult, type Floors } from './page.ts'
import type { DirectoryQuestion } from './shown-part.ts'

/** Counting stops at this many results; the counts are then partial and marked as such. */
const MOST_COUNTED = 10_000
/** The most values returned per kind, the most frequent first. */
const MOST_VALUES = 20

/** The prefixes of the labels that are counted. */
const COUNTED = { category: categoryLabel(''), network: networkLabel(''), asset: assetLabel('') }

/**
 * How many results a query has, and how many of them have each category, network and asset.
 * @param floors of the query's page; undefined if there are no results
 */
export function facetsOf(index: DirectoryIndex, question: DirectoryQuestion, floors: Floors | undefined): Facets {
  const { vocabulary } = index.postings
  const { total, byLabel } = counted(index, question, floors)
  const labels = [...byLabel].map(([id, count]) => ({ label: vocabulary.textOf(id), count }))
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

function counted(index: DirectoryIndex, question: DirectoryQuestion, floors: Floors | undefined) {
  const { words } = index.postings
  const byLabel = new Map<number, number>()
  let total = 0
  if (!floors) return { total, byLabel }
  eachResult(index, question, floors, ({ wordsAt, textEnd, facets }) => {
    total += 1
    const chunk = words.chunkOf(wordsAt)
    const from = words.startOf(wordsAt) + textEnd
    for (let at = from; at < from + facets; at += 1) {
      const label = chunk[at] ?? 0
      byLabel.set(label, (byLabel.get(label) ?? 0) + 1)
    }
    return total < MOST_COUNTED
  })
  return { total, byLabel }
}
