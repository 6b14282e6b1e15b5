import type { Ordered } from '../numbers/ordered.ts'
import { END, type Walk } from '../numbers/walk.ts'
import type { Asked } from './asked.ts'
import { ClauseWalk } from './clause-walk.ts'
import type { Documents } from './documents.ts'
import { EXACT_NAME, leastShareOf, tierOf, WHOLE } from './relevance.ts'

/** A share that no document has. */
const NEVER = 2 * WHOLE
/** A list with more than this part of all documents does not narrow down where to look. */
const NARROW = 1 / 8

/** Walks through all that a query may find, whichever of its clauses finds it. */
export class Candidates {
  item: number = END
  readonly #clauses: readonly ClauseWalk[]
  readonly #named: Walk | undefined
  readonly #isUnranked: boolean

  /** @param within lists that every hit stands in */
  constructor({ clauses, named, isUnranked }: Asked, everything: Ordered, within: readonly Ordered[], start: number) {
    const narrow = within.filter(({ size }) => size < everything.size * NARROW)
    this.#clauses = clauses.map((clause) => new ClauseWalk(clause, everything, narrow, start))
    this.#named = named?.walk(start)
    this.#isUnranked = isUnranked
  }

  /** Goes by what is of a tier or a better one from now on. */
  need(tier: number): void {
    const share = tier < EXACT_NAME || (tier === EXACT_NAME && !this.#isUnranked) ? NEVER : leastShareOf(tier)
    for (const clause of this.#clauses) clause.need(this.#isUnranked && share !== NEVER ? 0 : share)
  }

  /** Goes on to the first candidate from a position on. */
  seek(from: number): void {
    let item = END
    for (const clause of this.#clauses) {
      clause.seek(from)
      if (clause.item < item) item = clause.item
    }
    this.#named?.seek(from)
    if (this.#named && this.#named.item < item) item = this.#named.item
    this.item = item
  }

  /** The tier of the document where it stands, without looking at it; a better one than it has, where the lists do not tell. */
  get bestTier(): number {
    if (this.#named?.item === this.item || this.#isUnranked) return EXACT_NAME
    let most = 0
    for (const clause of this.#clauses) if (clause.item === this.item) most = Math.max(most, clause.mostShare)
    return tierOf(most)
  }

  /** The tier of the document where it stands; undefined for one that is no hit. */
  tierOf(documents: Documents): number | undefined {
    if (this.#named?.item === this.item) return EXACT_NAME
    let share = -1
    for (const clause of this.#clauses) {
      if (clause.item === this.item) share = Math.max(share, clause.shareOf(documents))
    }
    if (share < 0) return undefined
    return this.#isUnranked ? EXACT_NAME : tierOf(share)
  }
}
