import type { Intent } from './intents.ts'
import type { Facts } from './listings.ts'

/** How many results are judged. */
export const JUDGED = 10

/** Answers a query with slugs, best first. */
export type Search = (intent: Intent<string>) => Promise<readonly string[]> | readonly string[]

export interface Verdict {
  readonly ndcg: number
  /** The share of all queries. */
  readonly emptyShare: number
  /** Results that a filter should have excluded. */
  readonly ignoredFilters: number
  readonly byKind: ReadonlyMap<string, { readonly ndcg: number; readonly intents: number }>
}

const gainOf = (grade: number): number => 2 ** grade - 1
const discounted = (grades: readonly number[]): number =>
  grades.slice(0, JUDGED).reduce((sum, grade, rank) => sum + gainOf(grade) / Math.log2(rank + 2), 0)

/**
 * Judges a search by the facts of its results: normalized discounted cumulative gain of the first ten, 0 for a query
 * without results. The ideal ranks all listings that may be shown.
 */
export async function judged(
  search: Search,
  intents: readonly Intent<string>[],
  listings: readonly Facts[],
): Promise<Verdict> {
  const bySlug = new Map(listings.map((facts) => [facts.slug, facts]))
  const visible = listings.filter(({ isVisible }) => isVisible)
  const byKind = new Map<string, number[]>()
  let empty = 0
  let ignoredFilters = 0
  for (const intent of intents) {
    const ideal = discounted(visible.map(intent.gradeOf).sort((a, b) => b - a))
    if (ideal === 0) continue
    const found = (await search(intent)).flatMap((slug) => bySlug.get(slug) ?? [])
    if (found.length === 0) empty += 1
    ignoredFilters += found.filter((facts) => !isKept(intent, facts)).length
    const ndcg = discounted(found.map(intent.gradeOf)) / ideal
    byKind.set(intent.kind, [...(byKind.get(intent.kind) ?? []), ndcg])
  }
  const all = [...byKind.values()].flat()
  return {
    ndcg: mean(all),
    emptyShare: empty / all.length,
    ignoredFilters,
    byKind: new Map([...byKind].map(([kind, values]) => [kind, { ndcg: mean(values), intents: values.length }])),
  }
}

const isKept = ({ filters }: Intent<string>, { category, price, isVisible }: Facts): boolean =>
  isVisible &&
  (filters?.category === undefined || category === filters.category) &&
  (filters?.maxPrice === undefined || price <= Number(filters.maxPrice))

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
