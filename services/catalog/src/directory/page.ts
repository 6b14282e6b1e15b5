import type { ItemKind } from '@callboard/contract'
import { type Asked, END, eachHit, type Hit, hitsOf, askedOf as readAsked, type Sight } from '@callboard/search-index'
import { aliases } from '../domain/aliases.ts'
import type { Filters } from '../domain/filters.ts'
import type { DirectoryPlace } from '../domain/places.ts'
import { groupRank } from '../domain/ranking.ts'
import { FRESH_MS, type Visibility } from '../domain/visibility.ts'
import { filterOf, isFilter, labelsOf } from './filters.ts'
import { VOUCHED_FOR } from './indexed-listing.ts'
import { placeKey, standpointOf } from './place-key.ts'
import type { Kept, Register } from './register.ts'
import { ALWAYS, LOOK } from './sights.ts'

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
}

const NOTHING: IndexedPage = { rows: [], hidden: 0 }

/**
 * The next listings after a place, ordered by group, relevance tier, trust, freshness, slug. A listing too far below
 * the best one of all groups is not a result.
 * @param mostHidden unreviewed listings are counted up to this number
 */
export function pageOf(
  register: Register,
  question: DirectoryQuestion,
  limit: number,
  after?: DirectoryPlace,
  mostHidden = 0,
): IndexedPage {
  const labels = labelsOf(register, question)
  if (!labels) return NOTHING
  const { rows, floor, counted } = hitsOf(askedOf(register, question.q), register, {
    bandEnds: bandEndsOf(register, question.visibility),
    limit,
    sightOf: sightOf(register, question, labels, mostHidden > 0),
    within: withinOf(register, question, labels, mostHidden > 0),
    mostCounted: mostHidden,
    countedBands: EXTERNAL,
    after: after && { ...after, band: after.groupRank, from: behind(register, after) },
  })
  const found = ({ position, tier }: Hit) => new IndexedRow(register.at(position), tier, floor)
  return { rows: rows.map(found), hidden: counted }
}

/** Visits all results of a query down to a floor, in the directory's order, until `visit` returns false. */
export function eachResult(
  register: Register,
  question: DirectoryQuestion,
  floor: number,
  visit: (kept: Kept) => boolean,
): void {
  const labels = labelsOf(register, question)
  if (!labels) return
  const sight = sightOf(register, question, labels, false)
  const within = withinOf(register, question, labels, false)
  eachHit(
    askedOf(register, question.q),
    register,
    within,
    floor,
    (position) => sight(position) !== 'shown' || visit(register.at(position)),
  )
}

const askedOf = (register: Register, q: string): Asked =>
  readAsked(q, register.postings, register.size, (key) => register.named(key), aliases)

const EXTERNAL = groupRank('external')

/** The position after each group that is shown. */
const bandEndsOf = ({ groupEnds }: Register, { external }: Visibility): readonly number[] =>
  external === 'none' ? groupEnds : [...groupEnds, END]

/** Whether a listing is shown, or only counted: unreviewed listings are counted, except mirrored ones. */
function sightOf(register: Register, question: DirectoryQuestion, labels: readonly number[], counts: boolean) {
  const { listed, external } = question.visibility
  const { kinds = ['api'], nowMs } = question
  const freshSince = nowMs - FRESH_MS
  const [ownEnd = END] = register.groupEnds
  const externalStart = register.groupEnds[EXTERNAL - 1] ?? END
  const ofUnreviewed: Sight = listed === 'all' ? 'shown' : counts ? 'counted' : 'none'
  const seen = (position: number, isVouchedFor: boolean, okAtMs: number): Sight => {
    if (isVouchedFor || position < ownEnd) return 'shown'
    if (position < externalStart) return ofUnreviewed
    return external === 'all' || (external === 'fresh' && okAtMs >= freshSince) ? 'shown' : 'none'
  }
  const isOfKind = ({ posting }: Kept): boolean =>
    posting ? posting.expiresAtMs > nowMs && kinds.includes(posting.kind) : kinds.includes('api')
  const isAskedFor = filterOf(register, question, labels)
  const isFiltered = !kinds.includes('api') || isFilter(question, labels)
  return (position: number): Sight => {
    const at = register.sightAt(position)
    if (!isFiltered && at !== LOOK) return seen(position, at === ALWAYS, at)
    const kept = register.at(position)
    const sight = seen(position, kept.isVouchedFor, kept.okAtMs)
    return sight !== 'none' && isOfKind(kept) && isAskedFor(kept) ? sight : 'none'
  }
}

/** Lists that contain every result. */
function withinOf(
  { postings }: Register,
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
function behind({ positions }: Register, place: DirectoryPlace): number {
  const last = placeKey(place)
  return positions.first(({ key, slug }) => key < last || (key === last && slug <= place.slug))
}
