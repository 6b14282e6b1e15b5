import type { DirectoryPlace } from '../domain/places.ts'
import { GROUPS, groupRank } from '../domain/ranking.ts'
import { FRESH_MS, type Visibility } from '../domain/visibility.ts'
import { categoryLabel, networkLabel, type ShownText, VOUCHED_FOR } from './indexed-listing.ts'
import { open } from './open.ts'
import { type CompareToPlace, END } from './ordered.ts'
import { groupKey, placeKey, standpointOf } from './place-key.ts'
import type { Register } from './register.ts'
import { tiersOf } from './relevance.ts'
import { sourceOf } from './wanted.ts'

/** Which listings are asked for. */
export interface DirectoryQuestion {
  readonly visibility: Visibility
  /** Made by `plainQuery`; empty: all. */
  readonly q: string
  readonly nowMs: number
  readonly network?: string | undefined
  readonly category?: string | undefined
}

export interface IndexedRow extends ShownText {
  readonly place: DirectoryPlace
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
  const walks = tiersOf(question.q, register.postings, named).map(({ anyOf, isOf }, tier) => {
    const allOf = anyOf.map((sources) => [...sources, ...labels.sources])
    return { tier, isOf, walk: open(register, allOf, limit, startOf(register, tier, after)) }
  })
  const rows: IndexedRow[] = []
  for (let rank = after?.groupRank ?? 0; rank < GROUPS.length; rank += 1) {
    const end = groupKey(rank + 1)
    for (const { tier, isOf, walk } of walks) {
      for (; walk.item !== END && register.keyOf(walk.item) < end; walk.advance()) {
        if (rows.length === limit) return rows
        if (!isAskedFor(walk.item)) continue
        const kept = register.keptOf(walk.item)
        if (!isOf(kept)) continue
        const { slug, snapshot, standing } = kept
        rows.push({ place: { ...standpointOf(register.keyOf(walk.item)), tier, slug }, snapshot, standing })
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
function asking(register: Register, { visibility, nowMs }: DirectoryQuestion, labels: readonly number[]) {
  const { listed, external } = visibility
  const freshSince = nowMs - FRESH_MS
  const isVisible = (listing: number): boolean => {
    const key = register.keyOf(listing)
    if (key < OWN_END) return true
    if (key < EXTERNAL_START) return listed === 'all' || register.keptOf(listing).isVouchedFor
    if (external === 'all' || (external === 'fresh' && register.okAtMsOf(listing) >= freshSince)) return true
    return register.keptOf(listing).isVouchedFor
  }
  if (labels.length === 0) return isVisible
  return (listing: number): boolean => {
    if (!isVisible(listing)) return false
    const { ids, textEnd } = register.keptOf(listing)
    return labels.every((label) => ids.includes(label, textEnd))
  }
}

/** How one tier's listings lie to where a page begins; undefined where it begins with the first of all. */
function startOf(register: Register, tier: number, after: DirectoryPlace | undefined): CompareToPlace | undefined {
  if (!after) return undefined
  if (tier !== after.tier) {
    const start = groupKey(tier < after.tier ? after.groupRank + 1 : after.groupRank)
    return (listing) => register.keyOf(listing) - start
  }
  const key = placeKey(after)
  return (listing) => register.keyOf(listing) - key || (register.slugOf(listing) <= after.slug ? -1 : 1)
}
