import { intersection } from '../numbers/intersection.ts'
import type { Ordered } from '../numbers/ordered.ts'
import { END, type Walk } from '../numbers/walk.ts'
import { ClauseWalk } from './clause-walk.ts'
import type { CompiledQuery } from './compiled-query.ts'
import type { Documents } from './documents.ts'
import { EXACT_NAME, leastShareOf, tierOf, WHOLE } from './relevance.ts'

/** A share that no document reaches. */
const NEVER = 2 * WHOLE

/** Walks through everything that a query may find, by any of its clauses. */
export class Candidates {
  item: number = END
  readonly #clauses: readonly ClauseWalk[]
  readonly #named: Walk | undefined
  readonly #isUnranked: boolean

  /** @param within lists that contain every hit */
  constructor(
    { clauses, named, isUnranked }: CompiledQuery,
    everything: Ordered,
    within: readonly Ordered[],
    start: number,
  ) {
    // Each of two long lists may leave little of the other: what is in one of them only is passed over, not read.
    const narrow = within.filter(({ size }) => size < everything.size)
    this.#clauses = clauses.map((clause) => new ClauseWalk(clause, everything, narrow, start))
    this.#named = named && intersection([named.walk(start), ...narrow.map((list) => list.walk(start))])
    this.#isUnranked = isUnranked
  }

  /** From now on considers only documents that can reach this tier or a better one. */
  need(tier: number): void {
    const share = tier < EXACT_NAME || (tier === EXACT_NAME && !this.#isUnranked) ? NEVER : leastShareOf(tier)
    for (const clause of this.#clauses) clause.need(this.#isUnranked && share !== NEVER ? 0 : share)
  }

  /** Moves to the first candidate from a position on. */
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

  /** The current document's tier as far as the lists tell, without reading it; never worse than its actual one. */
  get bestTier(): number {
    if (this.#named?.item === this.item || this.#isUnranked) return EXACT_NAME
    let most = 0
    for (const clause of this.#clauses) if (clause.item === this.item) most = Math.max(most, clause.mostShare)
    return tierOf(most)
  }

  /** The tier of the current document; undefined if it is no hit. */
  tierOf(documents: Documents): number | undefined {
    if (this.#named?.item === this.item) return EXACT_NAME
    let share = -1
    for (const clause of this.#clauses) {
      // Reading the document for a clause that cannot match better would change nothing.
      if (clause.item === this.item && clause.mostShare > share) share = Math.max(share, clause.shareOf(documents))
    }
    if (share < 0) return undefined
    return this.#isUnranked ? EXACT_NAME : tierOf(share)
  }
}
