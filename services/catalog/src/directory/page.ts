import { type CompiledQuery, compileQuery, eachHit, type Hit, hitsOf } from '@callboard/search-index'
import { aliases } from '../domain/aliases.ts'
import type { DirectoryPlace } from '../domain/places.ts'
import type { DirectoryIndex, Kept } from './directory-index.ts'
import { labelsOf } from './filters.ts'
import { placeKey, standpointOf } from './place-key.ts'
import { bandEndsOf, type DirectoryQuestion, EXTERNAL, type ShownPart, shownPart, vouchedPart } from './shown-part.ts'

/** The last tiers that count as results. Nothing that no one vouches for hides a listing that is vouched for. */
export interface Floors {
  readonly floor: number
  /** Of listings that are our own or verified: given by the best of these alone. Below `floor` they follow all others. */
  readonly vouchedFloor: number
}

/** A listing or posting that matches a query. */
export class IndexedRow {
  readonly kept: Kept
  readonly #tier: number
  readonly #floors: Floors

  constructor(kept: Kept, tier: number, floors: Floors) {
    this.kept = kept
    this.#tier = tier
    this.#floors = floors
  }

  /** Most rows never need it: a cursor holds only the last row's. */
  get place(): DirectoryPlace {
    const { key, tieBreak, slug } = this.kept
    const isRest = this.#tier > this.#floors.floor
    return { ...standpointOf(key), tier: this.#tier, ...this.#floors, isRest, tieBreak, slug }
  }
}

export interface IndexedPage {
  readonly rows: readonly IndexedRow[]
  /** How many unreviewed listings would be among the results if they were shown. */
  readonly hidden: number
  /** Undefined if there is no result. */
  readonly floors: Floors | undefined
}

/** Which part of the results is asked for. */
export interface PageBounds {
  readonly limit: number
  readonly after?: DirectoryPlace | undefined
  /** Unreviewed listings are counted up to this number; none by default. */
  readonly mostHidden?: number
}

const NOTHING: IndexedPage = { rows: [], hidden: 0, floors: undefined }

/** Before every hit. */
const BEGINNING = { band: 0, tier: -1, from: 0 }

/**
 * The next listings after a place, ordered by group, relevance tier, trust, freshness, `tieBreak`. A listing too far below
 * the best one of all groups is not a result, unless it is vouched for and not too far below the best of its kind: then
 * it follows all others, in the same order.
 */
export function pageOf(
  index: DirectoryIndex,
  question: DirectoryQuestion,
  { limit, after, mostHidden = 0 }: PageBounds,
): IndexedPage {
  const labels = labelsOf(index, question)
  if (!labels) return NOTHING
  const query = compile(index, question.q)
  const bounds = { bandEnds: bandEndsOf(index, question.visibility), countedBands: EXTERNAL }
  const part = shownPart(index, question, labels, mostHidden > 0)
  const from = after && { tier: after.tier, floor: after.floor, band: after.groupRank, from: behind(index, after) }
  const best = after?.isRest
    ? { rows: [], floor: after.floor, counted: 0 }
    : hitsOf(query, index, { ...bounds, ...part, limit, after: from, mostCounted: mostHidden })
  const vouched = query.isUnranked ? undefined : vouchedPart(index, question, part)
  const rest =
    vouched &&
    hitsOf(query, index, {
      ...bounds,
      ...vouched,
      ...{ limit: limit - best.rows.length, above: best.floor, mostCounted: 0 },
      after: from && { ...(after?.isRest ? from : BEGINNING), floor: after?.vouchedFloor ?? from.floor },
    })
  const floors = { floor: best.floor, vouchedFloor: rest?.floor ?? best.floor }
  const rows = [...best.rows, ...(rest?.rows ?? [])]
  const found = ({ position, tier }: Hit) => new IndexedRow(index.at(position), tier, floors)
  return { rows: rows.map(found), hidden: best.counted, floors: after || rows.length > 0 ? floors : undefined }
}

/** Visits all results of a query down to its floors until `visit` returns false. */
export function eachResult(
  index: DirectoryIndex,
  question: DirectoryQuestion,
  { floor, vouchedFloor }: Floors,
  visit: (kept: Kept) => boolean,
): void {
  const labels = labelsOf(index, question)
  if (!labels) return
  const query = compile(index, question.q)
  const part = shownPart(index, question, labels, false)
  let goesOn = true
  const visitAll = ({ visibilityOf: seen, within }: ShownPart, lowest: number, above: number) =>
    eachHit(query, index, { within, floor: lowest }, (position, tier) => {
      if (tier > above && seen(position) === 'shown') goesOn = visit(index.at(position))
      return goesOn
    })
  visitAll(part, floor, -1)
  const vouched = goesOn && vouchedFloor > floor ? vouchedPart(index, question, part) : undefined
  if (vouched) visitAll(vouched, vouchedFloor, floor)
}

const compile = (index: DirectoryIndex, q: string): CompiledQuery =>
  compileQuery(q, { postings: index.postings, all: index.size, named: (key) => index.named(key), aliases })

/** The position after a place. */
function behind(index: DirectoryIndex, place: DirectoryPlace): number {
  const last = placeKey(place)
  // A cursor of the previous version does not say it: rather than that a page is cut short, it may repeat rows.
  const turn = place.tieBreak ?? index.find(place.slug)?.tieBreak ?? Number.NEGATIVE_INFINITY
  return index.positions.first(
    ({ key, tieBreak, slug }) =>
      key < last || (key === last && (tieBreak < turn || (tieBreak === turn && slug <= place.slug))),
  )
}
