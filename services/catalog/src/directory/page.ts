import type { ItemKind } from '@callboard/contract'
import {
  type CompiledQuery,
  compileQuery,
  END,
  eachHit,
  type Hit,
  type HitVisibility,
  hitsOf,
} from '@callboard/search-index'
import { aliases } from '../domain/aliases.ts'
import type { Filters } from '../domain/filters.ts'
import type { DirectoryPlace } from '../domain/places.ts'
import { groupRank } from '../domain/ranking.ts'
import { FRESH_MS, type Visibility } from '../domain/visibility.ts'
import type { DirectoryIndex, Kept } from './directory-index.ts'
import { filterOf, isFilter, labelsOf, ruledOutBy } from './filters.ts'
import { VOUCHED_FOR } from './labels.ts'
import { placeKey, standpointOf } from './place-key.ts'
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

/** A listing or posting that matches a query. */
export class IndexedRow {
  readonly kept: Kept
  readonly #tier: number
  readonly #floor: number

  constructor(kept: Kept, tier: number, floor: number) {
    this.kept = kept
    this.#tier = tier
    this.#floor = floor
  }

  /** Most rows never need it: a cursor holds only the last row's. */
  get place(): DirectoryPlace {
    const { key, slug } = this.kept
    return { ...standpointOf(key), tier: this.#tier, floor: this.#floor, slug }
  }
}

export interface IndexedPage {
  readonly rows: readonly IndexedRow[]
  /** How many unreviewed listings would be among the results if they were shown. */
  readonly hidden: number
  /** The last tier that counts as a result; undefined if there is no result. */
  readonly floor: number | undefined
}

/** Which part of the results is asked for. */
export interface PageBounds {
  readonly limit: number
  readonly after?: DirectoryPlace | undefined
  /** Unreviewed listings are counted up to this number; none by default. */
  readonly mostHidden?: number
}

const NOTHING: IndexedPage = { rows: [], hidden: 0, floor: undefined }

/**
 * The next listings after a place, ordered by group, relevance tier, trust, freshness, slug. A listing too far below
 * the best one of all groups is not a result.
 */
export function pageOf(
  index: DirectoryIndex,
  question: DirectoryQuestion,
  { limit, after, mostHidden = 0 }: PageBounds,
): IndexedPage {
  const labels = labelsOf(index, question)
  if (!labels) return NOTHING
  const { rows, floor, counted } = hitsOf(compile(index, question.q), index, {
    bandEnds: bandEndsOf(index, question.visibility),
    limit,
    visibilityOf: visibilityOf(index, question, labels, mostHidden > 0),
    within: withinOf(index, question, labels, mostHidden > 0),
    mostCounted: mostHidden,
    countedBands: EXTERNAL,
    after: after && { ...after, band: after.groupRank, from: behind(index, after) },
  })
  const found = ({ position, tier }: Hit) => new IndexedRow(index.at(position), tier, floor)
  return { rows: rows.map(found), hidden: counted, floor: after || rows.length > 0 ? floor : undefined }
}

/** Visits all results of a query down to a floor, in the directory's order, until `visit` returns false. */
export function eachResult(
  index: DirectoryIndex,
  question: DirectoryQuestion,
  floor: number,
  visit: (kept: Kept) => boolean,
): void {
  const labels = labelsOf(index, question)
  if (!labels) return
  const visibility = visibilityOf(index, question, labels, false)
  const within = withinOf(index, question, labels, false)
  eachHit(
    compile(index, question.q),
    index,
    { within, floor },
    (position) => visibility(position) !== 'shown' || visit(index.at(position)),
  )
}

const compile = (index: DirectoryIndex, q: string): CompiledQuery =>
  compileQuery(q, { postings: index.postings, all: index.size, named: (key) => index.named(key), aliases })

const EXTERNAL = groupRank('external')

/** The position after each group that is shown. */
const bandEndsOf = ({ groupEnds }: DirectoryIndex, { external }: Visibility): readonly number[] =>
  external === 'none' ? groupEnds : [...groupEnds, END]

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

/** Lists that contain every result. */
function withinOf(
  { postings }: DirectoryIndex,
  { visibility }: DirectoryQuestion,
  labels: readonly number[],
  counts: boolean,
) {
  const isVouchedFor =
    visibility.listed === 'verified' && visibility.external !== 'all' && visibility.external !== 'fresh'
  const vouchedFor = isVouchedFor && !counts ? (postings.vocabulary.idOf(VOUCHED_FOR) ?? []) : []
  return [...labels, ...[vouchedFor].flat()].flatMap((id) => postings.of('texts', id) ?? [])
}

/** The position after a place. */
function behind({ positions }: DirectoryIndex, place: DirectoryPlace): number {
  const last = placeKey(place)
  return positions.first(({ key, slug }) => key < last || (key === last && slug <= place.slug))
}
