import {
  Aliases,
  compileQuery,
  END,
  hitsOf,
  nameKey,
  Ordered,
  type Positioned,
  Positions,
  Postings,
  plainQuery,
  type Terms,
} from '../src/index.ts'

/** A document of the index: where its words are, and its position in the order. */
interface Book extends Terms, Positioned {
  readonly title: string
  readonly nameKey: string
  readonly isLent: boolean
}

const aliases = new Aliases([['sci-fi', 'science fiction', 'sf']])

/** The smallest use of this library: books ordered by title, found by the words of title and text. */
export class Books {
  readonly #postings = new Postings(aliases)
  readonly #byName = new Map<string, Ordered>()
  readonly #order = new Positions<Book>((a, b) => (a.title < b.title ? -1 : 1), {
    leave: (book) => this.#leave(book),
    enter: (book) => this.#enter(book),
  })

  /**
   * @param title unique among the books
   * @param isLent a lent book is not found
   */
  add(title: string, text: string, isLent = false): void {
    const terms = this.#postings.learn(title, text, [])
    const book = { ...terms, title, isLent, nameKey: nameKey(title), position: END, slot: -1 }
    this.#order.add(book)
    this.#enter(book)
  }

  /** The titles that a query finds, better tiers first, in the order of the titles within each. */
  search(query: string, limit: number): string[] {
    return this.tiers(query, limit).map(([title]) => title)
  }

  /** The same with the tiers. */
  tiers(query: string, limit: number): [title: string, tier: number][] {
    const { order } = this.#order
    const named = (key: string) => this.#byName.get(key)
    const asked = compileQuery(plainQuery(query), { postings: this.#postings, all: order.size, named, aliases })
    const documents = { everything: order, at: (position: number) => this.#order.at(position) }
    const { rows } = hitsOf(asked, documents, {
      bandEnds: [END],
      limit,
      visibilityOf: (position) => (this.#order.at(position).isLent ? 'none' : 'shown'),
      within: [],
      mostCounted: 0,
      countedBands: 0,
    })
    return rows.map(({ position, tier }) => [this.#order.at(position).title, tier])
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
