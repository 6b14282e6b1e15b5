import type { Ordered } from '../numbers/ordered.ts'
import type { Part, Postings, Terms } from '../words/postings.ts'
import type { Term } from './search-query.ts'

/** Orders that together hold every document that can be found by something. */
export interface Source {
  readonly lists: readonly Ordered[]
  /** How many documents they hold, those that stand in several of them several times. */
  readonly size: number
}

/** The source that some lists make, those that are there. */
export function sourceOf(lists: readonly (Ordered | undefined)[]): Source {
  const known = lists.filter((list) => list !== undefined)
  return { lists: known, size: known.reduce((sum, list) => sum + list.size, 0) }
}

const UNKNOWN = -1
/** A prefix of more words does not narrow down where to look. */
const MANY_WORDS = 10_000

/** A term of a query in the numbers of a vocabulary. */
export class Wanted {
  readonly isExcluded: boolean
  /** Whether the documents of its source are those that hold it: it is one word, and wanted. */
  readonly isItsSource: boolean
  readonly #postings: Postings
  readonly #whole: readonly number[]
  /** How the last word begins, unless it is whole. */
  readonly #prefix: string | undefined
  /** What the last word may be, unless these are many. */
  readonly #going: ReadonlySet<number> | undefined

  constructor({ words, isPrefix, isExcluded }: Term, postings: Postings) {
    const { vocabulary } = postings
    this.isExcluded = isExcluded
    this.#postings = postings
    this.#whole = (isPrefix ? words.slice(0, -1) : words).map((word) => vocabulary.idOf(word) ?? UNKNOWN)
    this.#prefix = isPrefix ? words.at(-1) : undefined
    const going = this.#prefix === undefined ? undefined : vocabulary.startingWith(this.#prefix, MANY_WORDS)
    this.#going = going && new Set(going)
    this.isItsSource = !isExcluded && words.length === 1 && (!isPrefix || going !== undefined)
  }

  /** Whether a document is as the term asks, looking at a part of its words. */
  holds(terms: Terms, part: Part): boolean {
    return this.#standsIn(terms, part === 'names' ? terms.nameEnd : terms.textEnd) !== this.isExcluded
  }

  /** Where the documents stand that have a word of the term: one that has the term stands in every one. */
  sources(part: Part): Source[] {
    const lists = (ids: Iterable<number>) => sourceOf([...ids].map((id) => this.#postings.of(part, id)))
    return [...this.#whole.map((id) => lists([id])), ...(this.#going ? [lists(this.#going)] : [])]
  }

  #standsIn({ wordsAt }: Terms, end: number): boolean {
    const whole = this.#whole
    const ids = this.#postings.words.chunkOf(wordsAt)
    const start = this.#postings.words.startOf(wordsAt)
    const last = start + end - whole.length - (this.#prefix === undefined ? 0 : 1)
    for (let at = start; at <= last; at += 1) {
      let length = 0
      while (length < whole.length && ids[at + length] === whole[length]) length += 1
      if (length === whole.length && this.#goesOn(ids[at + length])) return true
    }
    return false
  }

  /** Whether a word may come last. */
  #goesOn(id: number | undefined): boolean {
    if (this.#prefix === undefined) return true
    if (id === undefined) return false
    return this.#going ? this.#going.has(id) : this.#postings.vocabulary.begins(id, this.#prefix)
  }
}
