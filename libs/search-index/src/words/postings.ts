import { Ordered } from '../numbers/ordered.ts'
import { type Aliases, NO_ALIASES } from './aliases.ts'
import { gathered } from './gathering.ts'
import { Sequences } from './sequences.ts'
import { TextReader } from './text-reader.ts'
import { Vocabulary } from './vocabulary.ts'

/** The words of a document in `Postings.words`: first those of its name, then of its other text, then labels. */
export interface Terms {
  readonly wordsAt: number
  /** How many belong to the name. */
  readonly nameEnd: number
  /** How many belong to the name and the other text. */
  readonly textEnd: number
  /** How many there are including the labels. */
  readonly end: number
}

/** Where a word occurs: in names, or anywhere. */
export type Part = 'names' | 'texts'

/** For every word, the positions of the documents that have it; labels count as words of the text. */
export class Postings {
  readonly vocabulary: Vocabulary
  /** The words of documents by number. */
  readonly words = new Sequences()
  readonly #reader: TextReader
  #lists: Readonly<Record<Part, (Ordered | undefined)[]>> = { names: [], texts: [] }

  constructor(aliases: Aliases = NO_ALIASES) {
    this.vocabulary = new Vocabulary(aliases)
    this.#reader = new TextReader(this.vocabulary, aliases)
  }

  of(part: Part, id: number): Ordered | undefined {
    return this.#lists[part][id]
  }

  /** Stores the words of a document. `enter` must follow, or the vocabulary keeps words that no document has. */
  learn(name: string, text: string, labels: readonly string[]): Terms {
    return this.#keep(name, text, labels, (word) => this.vocabulary.learn(word))
  }

  /** The same while a register is being filled. */
  meet(name: string, text: string, labels: readonly string[]): Terms {
    return this.#keep(name, text, labels, (word) => this.vocabulary.meet(word))
  }

  /** Whether a document has a label. */
  isLabelled(terms: Terms, label: number): boolean {
    const chunk = this.words.chunkOf(terms.wordsAt)
    const start = this.words.startOf(terms.wordsAt)
    for (let at = terms.textEnd; at < terms.end; at += 1) if (chunk[start + at] === label) return true
    return false
  }

  /** Adds a document to the lists under its position. */
  enter(position: number, terms: Terms): void {
    this.#each(terms, (list) => list.add(position))
  }

  /**
   * Adds many documents, while none has been added yet.
   * @param documents in the order of their positions
   */
  async fill(
    documents: readonly (Terms & { readonly position: number })[],
    yieldToEventLoop: () => Promise<unknown>,
  ): Promise<void> {
    const at = (index: number) => {
      const document = documents[index]
      if (!document) throw new RangeError(`There is no document ${index}`)
      return document
    }
    const startAt = (index: number) => this.words.startOf(at(index).wordsAt)
    const { bound } = this.vocabulary
    const gather = (endOf: (terms: Terms) => number) =>
      gathered(
        bound,
        {
          count: documents.length,
          positionAt: (index) => at(index).position,
          idsAt: (index) => this.words.chunkOf(at(index).wordsAt),
          startAt,
          endAt: (index) => startAt(index) + endOf(at(index)),
        },
        yieldToEventLoop,
      )
    this.#lists = { names: await gather(({ nameEnd }) => nameEnd), texts: await gather(({ end }) => end) }
  }

  leave(position: number, terms: Terms): void {
    this.#each(terms, (list) => list.remove(position))
  }

  /** Forgets the words of a document that has left, and drops those that no document has any more. */
  forget(terms: Terms): void {
    for (const id of this.#idsOf(terms, terms.end)) {
      if (this.of('texts', id)?.size !== 0) continue
      this.#lists.texts[id] = undefined
      this.#lists.names[id] = undefined
      this.vocabulary.forget(id)
    }
    this.words.remove(terms.wordsAt, terms.end)
  }

  #keep(name: string, text: string, labels: readonly string[], idOf: (word: string) => number): Terms {
    const ids: number[] = []
    this.#reader.read(name, ids, idOf)
    const nameEnd = ids.length
    this.#reader.read(text, ids, idOf)
    const textEnd = ids.length
    for (const word of labels) ids.push(idOf(word))
    return { wordsAt: this.words.add(ids), nameEnd, textEnd, end: ids.length }
  }

  #listOf(part: Part, id: number): Ordered {
    const known = this.#lists[part][id]
    if (known) return known
    const list = new Ordered()
    this.#lists[part][id] = list
    return list
  }

  /** The first words of a document, without repeats. */
  #idsOf({ wordsAt }: Terms, count: number): Set<number> {
    const start = this.words.startOf(wordsAt)
    return new Set(this.words.chunkOf(wordsAt).subarray(start, start + count))
  }

  /** Visits every list of a document's words once. */
  #each(terms: Terms, visit: (list: Ordered) => void): void {
    for (const id of this.#idsOf(terms, terms.end)) visit(this.#listOf('texts', id))
    for (const id of this.#idsOf(terms, terms.nameEnd)) visit(this.#listOf('names', id))
  }
}
