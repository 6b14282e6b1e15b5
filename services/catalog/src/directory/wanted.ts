import type { Term } from '../domain/search-query.ts'
import type { Ordered } from './ordered.ts'
import type { Part, Postings, Terms } from './postings.ts'

/** Orders that together hold every listing that can be found by something. */
export interface Source {
  readonly lists: readonly Ordered[]
  /** How many listings they hold, those that stand in several of them several times. */
  readonly size: number
}

/** The source that some lists make, those that are there. */
export function sourceOf(lists: readonly (Ordered | undefined)[]): Source {
  const known = lists.filter((list) => list !== undefined)
  return { lists: known, size: known.reduce((sum, list) => sum + list.size, 0) }
}

const UNKNOWN = -1

/** A term of a query in the numbers of a vocabulary. */
export class Wanted {
  readonly isExcluded: boolean
  readonly #postings: Postings
  readonly #whole: readonly number[]
  /** What the last word may be when it is a prefix. */
  readonly #going: ReadonlySet<number> | undefined

  constructor({ words, isPrefix, isExcluded }: Term, postings: Postings) {
    const { vocabulary } = postings
    this.isExcluded = isExcluded
    this.#postings = postings
    this.#whole = (isPrefix ? words.slice(0, -1) : words).map((word) => vocabulary.idOf(word) ?? UNKNOWN)
    this.#going = isPrefix ? new Set(vocabulary.startingWith(words.at(-1) ?? '')) : undefined
  }

  /** Whether a listing is as the term asks, looking at a part of its words. */
  holds({ ids, nameEnd, textEnd }: Terms, part: Part): boolean {
    return this.#standsIn(ids, part === 'names' ? nameEnd : textEnd) !== this.isExcluded
  }

  /** Where the listings stand that have a word of the term: who has the term stands in every one. */
  sources(part: Part): Source[] {
    const lists = (ids: Iterable<number>) => sourceOf([...ids].map((id) => this.#postings.of(part, id)))
    return [...this.#whole.map((id) => lists([id])), ...(this.#going ? [lists(this.#going)] : [])]
  }

  #standsIn(ids: readonly number[], end: number): boolean {
    const whole = this.#whole
    const going = this.#going
    const last = end - whole.length - (going ? 1 : 0)
    for (let at = 0; at <= last; at += 1) {
      let length = 0
      while (length < whole.length && ids[at + length] === whole[length]) length += 1
      if (length === whole.length && (!going || going.has(ids[at + length] ?? UNKNOWN))) return true
    }
    return false
  }
}
