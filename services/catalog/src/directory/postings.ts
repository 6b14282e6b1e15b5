import { Ordered } from './ordered.ts'
import { Vocabulary } from './vocabulary.ts'

/** The words of one listing by number: first those of its name, then those of its other text, then its labels. */
export interface Terms {
  readonly ids: readonly number[]
  /** How many are of the name. */
  readonly nameEnd: number
  /** How many are of the name and the other text. */
  readonly textEnd: number
}

/** Where a word stands: in names, or anywhere. */
export type Part = 'names' | 'texts'

/** For every word the positions of the listings that have it; labels count as words of the text. */
export class Postings {
  readonly vocabulary = new Vocabulary()
  readonly #lists: Readonly<Record<Part, (Ordered | undefined)[]>> = { names: [], texts: [] }

  of(part: Part, id: number): Ordered | undefined {
    return this.#lists[part][id]
  }

  /** Words as numbers. They are to be entered next, or the vocabulary keeps words that nobody has. */
  learn(name: readonly string[], text: readonly string[], labels: readonly string[]): Terms {
    const ids = [...text, ...labels].map((word) => this.vocabulary.learn(word))
    return { ids, nameEnd: name.length, textEnd: text.length }
  }

  /** The same while a register is filled. */
  meet(name: readonly string[], text: readonly string[], labels: readonly string[]): Terms {
    const ids = [...text, ...labels].map((word) => this.vocabulary.meet(word))
    return { ids, nameEnd: name.length, textEnd: text.length }
  }

  /** Enters a listing under its position. */
  enter(position: number, terms: Terms): void {
    this.#each(terms, (list) => list.add(position))
  }

  /** Enters a listing that comes after all others. */
  append(position: number, { ids, nameEnd }: Terms): void {
    for (const [at, id] of ids.entries()) {
      this.#listOf('texts', id).append(position)
      if (at < nameEnd) this.#listOf('names', id).append(position)
    }
  }

  leave(position: number, terms: Terms): void {
    this.#each(terms, (list) => list.remove(position))
  }

  /** Drops the words that nobody has any more, of those that a listing had. */
  tidy({ ids }: Terms): void {
    for (const id of new Set(ids)) {
      if (this.of('texts', id)?.size !== 0) continue
      this.#lists.texts[id] = undefined
      this.#lists.names[id] = undefined
      this.vocabulary.forget(id)
    }
  }

  #listOf(part: Part, id: number): Ordered {
    const known = this.#lists[part][id]
    if (known) return known
    const list = new Ordered()
    this.#lists[part][id] = list
    return list
  }

  /** Every list of a listing's words once. */
  #each({ ids, nameEnd }: Terms, visit: (list: Ordered) => void): void {
    for (const id of new Set(ids)) visit(this.#listOf('texts', id))
    for (const id of new Set(ids.slice(0, nameEnd))) visit(this.#listOf('names', id))
  }
}
