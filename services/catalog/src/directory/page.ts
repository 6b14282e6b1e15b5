import { END, open, sourceOf, tiersOf } from '@callboard/search-index'
import type { DirectoryPlace } from '../domain/places.ts'
import { GROUPS, groupRank } from '../domain/ranking.ts'
import { FRESH_MS, type Visibility } from '../domain/visibility.ts'
import { categoryLabel, networkLabel, VOUCHED_FOR } from './indexed-listing.ts'
import { groupKey, placeKey, standpointOf } from './place-key.ts'
import type { Kept, Register } from './register.ts'

/** Which listings are asked for. */
export interface DirectoryQuestion {
  readonly visibility: Visibility
  /** Made by `plainQuery`; empty: all. */
  readonly q: string
  readonly nowMs: number
  readonly network?: string | undefined
  readonly category?: string | undefined
}

export interface IndexedRow {
  readonly place: DirectoryPlace
  readonly kept: Kept
}

/**
 * The next listings after a place, in the order group, relevance tier, trust, freshness, slug. Group by group each tier
 * is read in the order of the directory where its listings stand, and no further than the page is long.
 */
export function pageOf(
  register: Register,
  question: DirectoryQuestion,
  limit: number,
  after?: DirectoryPlace,
): IndexedRow[] {
  const labels = labelsOf(register, question)
  if (!labels) return []
  const isAskedFor = asking(register, question, labels.ids)
  const named = (key: string) => register.named(key)
  const walks = tiersOf(question.q, register.postings, named).map(
    ({ anyOf, isFoundBySources, finds, isBetter }, tier) => {
      const allOf = anyOf.map((sources) => [...sources, ...labels.sources])
      const { walk, isExact } = open(register.everything, allOf, limit, startOf(register, tier, after))
      const isFound = isFoundBySources && isExact
      return { tier, walk, isOf: (kept: Kept) => (isFound || finds(kept)) && !isBetter(kept) }
    },
  )
  const rows: IndexedRow[] = []
  const lastRank = question.visibility.external === 'none' ? groupRank('external') : GROUPS.length
  for (let rank = after?.groupRank ?? 0; rank < lastRank; rank += 1) {
    const end = groupKey(rank + 1)
    for (const { tier, isOf, walk } of walks) {
      for (; walk.item !== END; walk.advance()) {
        const kept = register.at(walk.item)
        if (kept.key >= end) break
        if (!isAskedFor(kept) || !isOf(kept)) continue
        rows.push({ place: { ...standpointOf(kept.key), tier, slug: kept.slug }, kept })
        if (rows.length === limit) return rows
      }
    }
  }
  return rows
}

/** What is filtered by, as words of the register; undefined when no listing has one of them. */
function labelsOf({ postings }: Register, { visibility, network, category }: DirectoryQuestion) {
  const onlyVouchedFor = visibility.listed === 'verified' && visibility.external === 'verified'
  const labels = [
    ...(network === undefined ? [] : [networkLabel(network)]),
    ...(category === undefined ? [] : [categoryLabel(category)]),
    ...(onlyVouchedFor ? [VOUCHED_FOR] : []),
  ]
  const ids = labels.map((label) => postings.vocabulary.idOf(label))
  if (!ids.every((id) => id !== undefined)) return undefined
  return { ids, sources: ids.map((id) => sourceOf([postings.of('texts', id)])) }
}

const OWN_END = groupKey(groupRank('svc') + 1)
const EXTERNAL_START = groupKey(groupRank('external'))

/** Whether a listing is visible and has all labels. */
function asking({ postings }: Register, { visibility, nowMs }: DirectoryQuestion, labels: readonly number[]) {
  const { listed, external } = visibility
  const freshSince = nowMs - FRESH_MS
  const isVisible = ({ key, isVouchedFor, okAtMs }: Kept): boolean => {
    if (isVouchedFor || key < OWN_END) return listed !== 'unverified'
    if (key < EXTERNAL_START) return listed !== 'verified'
    return external === 'all' || (external === 'fresh' && okAtMs >= freshSince)
  }
  if (labels.length === 0) return isVisible
  return (kept: Kept): boolean => isVisible(kept) && labels.every((label) => postings.isLabelled(kept, label))
}

/** The position at which a page of one tier begins. */
function startOf({ positions }: Register, tier: number, after: DirectoryPlace | undefined): number {
  if (!after) return 0
  if (tier !== after.tier) {
    const start = groupKey(tier < after.tier ? after.groupRank + 1 : after.groupRank)
    return positions.first(({ key }) => key < start)
  }
  const last = placeKey(after)
  return positions.first(({ key, slug }) => key < last || (key === last && slug <= after.slug))
}
