import type { ItemKind } from '@callboard/contract'
import { END, type HitVisibility, type Ordered } from '@callboard/search-index'
import type { Filters } from '../domain/filters.ts'
import { groupRank } from '../domain/ranking.ts'
import { FRESH_MS, type Visibility } from '../domain/visibility.ts'
import type { DirectoryIndex, Kept } from './directory-index.ts'
import { filterOf, isFilter, ruledOutBy } from './filters.ts'
import { VOUCHED_FOR } from './labels.ts'
import { ALWAYS, UNKNOWN } from './visibility-keys.ts'

/** A query of the directory. */
export interface DirectoryQuestion extends Filters {
  /** Only APIs if absent. */
  readonly kinds?: readonly ItemKind[]
  readonly visibility: Visibility
  /** Made by `plainQuery`; if empty, all match. */
  readonly q: string
  readonly nowMs: number
}

/** The part of the directory in which a query looks for its words. */
export interface ShownPart {
  readonly visibilityOf: (position: number) => HitVisibility
  /** Lists that contain every result. */
  readonly within: readonly Ordered[]
}

export const EXTERNAL = groupRank('external')

/** The position after each group that is shown. */
export const bandEndsOf = ({ groupEnds }: DirectoryIndex, { external }: Visibility): readonly number[] =>
  external === 'none' ? groupEnds : [...groupEnds, END]

/** Whether anything is shown that no one vouches for. */
const showsOthers = ({ listed, external }: Visibility): boolean =>
  listed === 'all' || external === 'all' || external === 'fresh'

/**
 * The part that a question asks for, given the labels of its filters.
 * @param counts whether unreviewed listings that are not shown are counted
 */
export function shownPart(
  index: DirectoryIndex,
  question: DirectoryQuestion,
  labels: readonly number[],
  counts: boolean,
): ShownPart {
  const lists = labels.flatMap((id) => index.postings.of('texts', id) ?? [])
  const isVouchedFor = !counts && !showsOthers(question.visibility)
  return {
    visibilityOf: visibilityOf(index, question, labels, counts),
    within: isVouchedFor ? [...lists, ...vouchedFor(index)] : lists,
  }
}

/** What of a part is our own or verified; undefined if that is all of it, or if there is none. */
export function vouchedPart(
  index: DirectoryIndex,
  { visibility }: DirectoryQuestion,
  { visibilityOf: seen, within }: ShownPart,
): ShownPart | undefined {
  const lists = vouchedFor(index)
  if (lists.length === 0 || !showsOthers(visibility)) return undefined
  const isVouchedFor = (position: number) => {
    const at = index.visibilityKeyAt(position)
    return at === ALWAYS || (at === UNKNOWN && index.at(position).isVouchedFor)
  }
  return {
    visibilityOf: (position) => (isVouchedFor(position) && seen(position) === 'shown' ? 'shown' : 'none'),
    within: [...within, ...lists],
  }
}

/** The list of everything that is our own or verified; none if nothing is. */
function vouchedFor({ postings }: DirectoryIndex): readonly Ordered[] {
  const id = postings.vocabulary.idOf(VOUCHED_FOR)
  return id === undefined ? [] : [postings.of('texts', id) ?? []].flat()
}

/** Whether a listing is shown, or only counted: unreviewed listings are counted, except mirrored ones. */
function visibilityOf(index: DirectoryIndex, question: DirectoryQuestion, labels: readonly number[], counts: boolean) {
  const { listed, external } = question.visibility
  const { kinds = ['api'], nowMs } = question
  const freshSince = nowMs - FRESH_MS
  const [ownEnd = END] = index.groupEnds
  const externalStart = index.groupEnds[EXTERNAL - 1] ?? END
  const ofUnreviewed: HitVisibility = listed === 'all' ? 'shown' : counts ? 'counted' : 'none'
  const seen = (position: number, isVouchedFor: boolean, okAtMs: number): HitVisibility => {
    if (isVouchedFor || position < ownEnd) return 'shown'
    if (position < externalStart) return ofUnreviewed
    return external === 'all' || (external === 'fresh' && okAtMs >= freshSince) ? 'shown' : 'none'
  }
  const isOfKind = ({ posting }: Kept): boolean =>
    posting ? posting.expiresAtMs > nowMs && kinds.includes(posting.kind) : kinds.includes('api')
  const isAskedFor = filterOf(index, question, labels)
  const isRuledOut = ruledOutBy(index, question)
  const isFiltered = !kinds.includes('api') || isFilter(question, labels)
  return (position: number): HitVisibility => {
    const at = index.visibilityKeyAt(position)
    if (!isFiltered && at !== UNKNOWN) return seen(position, at === ALWAYS, at)
    if (isRuledOut(position)) return 'none'
    const kept = index.at(position)
    const visibility = seen(position, kept.isVouchedFor, kept.okAtMs)
    return visibility !== 'none' && isOfKind(kept) && isAskedFor(kept) ? visibility : 'none'
  }
}
