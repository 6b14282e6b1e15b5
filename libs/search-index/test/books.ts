import {
  END,
  type Found,
  nameKey,
  Ordered,
  open,
  type Positioned,
  Positions,
  Postings,
  plainQuery,
  tiersOf,
  wordsOf,
} from '../src/index.ts'

/** A document of the index: where its words are, and its position in the order. */
interface Book extends Found, Positioned {
  readonly title: string
}

/** The smallest use of this library: books in the order of their titles, found by the words of title and text. */
export class Books {
  readonly #postings = new Postings()
  readonly #byName = new Map<string, Ordered>()
  readonly #order = new Positions<Book>((a, b) => (a.title < b.title ? -1 : 1), {
    leave: (book) => this.#leave(book),
    enter: (book) => this.#enter(book),
  })

  /** @param title of no other book */
  add(title: string, text: string): void {
    const terms = this.#postings.learn(wordsOf(title), wordsOf(`${title} ${text}`), [])
    const book = { ...terms, title, nameKey: nameKey(title), position: END }
    this.#order.add(book)
    this.#enter(book)
  }

  /** The titles that a query finds, the better tiers first, in the order of the titles within each. */
  search(query: string, limit: number): string[] {
    const found: string[] = []
    const tiers = tiersOf(plainQuery(query), this.#postings, (key) => this.#byName.get(key))
    for (const { anyOf, isFoundBySources, finds, isBetter } of tiers) {
      const { walk, isExact } = open(this.#order.order, anyOf, limit, 0)
      for (; walk.item !== END && found.length < limit; walk.advance()) {
        const book = this.#order.at(walk.item)
        if (((isFoundBySources && isExact) || finds(book)) && !isBetter(book)) found.push(book.title)
      }
    }
    return found
  }

  #enter(book: Book): void {
    const named = this.#byName.get(book.nameKey) ?? new Ordered()
    named.add(book.position)
    this.#byName.set(book.nameKey, named)
    this.#postings.enter(book.position, book)
  }

  #leave(book: Book): void {
    this.#byName.get(book.nameKey)?.remove(book.position)
    this.#postings.leave(book.position, book)
  }
}
