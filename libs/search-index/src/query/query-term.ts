import type { Part, Postings, Terms } from '../words/postings.ts'
import type { Term } from './search-query.ts'

const UNKNOWN = -1

/** A term of a query as numbers of a vocabulary: it occurs as written, or it does not. */
export class QueryTerm {
  readonly isExcluded: boolean
  readonly #postings: Postings
  readonly #words: readonly number[]

  constructor({ words, isExcluded }: Term, postings: Postings) {
    this.isExcluded = isExcluded
    this.#postings = postings
    this.#words = words.map((word) => postings.vocabulary.idOf(word) ?? UNKNOWN)
  }

  /** The numbers of its words, including those that no document has. */
  get ids(): readonly number[] {
    return this.#words
  }

  /** Whether a document satisfies the term, in its name or anywhere. No phrase continues from name into text. */
  holds(terms: Terms, part: Part): boolean {
    const { nameEnd, textEnd } = terms
    const isThere = this.#standsIn(terms, 0, nameEnd) || (part === 'texts' && this.#standsIn(terms, nameEnd, textEnd))
    return isThere !== this.isExcluded
  }

  #standsIn({ wordsAt }: Terms, from: number, to: number): boolean {
    const words = this.#words
    const [first] = words
    const ids = this.#postings.words.chunkOf(wordsAt)
    const start = this.#postings.words.startOf(wordsAt)
    const last = start + to - words.length
    for (let at = start + from; at <= last; at += 1) {
      if (ids[at] !== first) continue
      let length = 1
      while (length < words.length && ids[at + length] === words[length]) length += 1
      if (length === words.length) return true
    }
    return false
  }
}
