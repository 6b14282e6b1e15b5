import type { Facets } from '@callboard/contract'
import type { DirectoryListing } from '../domain/listed.ts'
import type { DirectoryPlace } from '../domain/places.ts'
import { facetsOf } from './facets.ts'
import { type DirectoryRecord, indexedListing } from './indexed-listing.ts'
import { type DirectoryQuestion, pageOf } from './page.ts'
import { type Kept, Register } from './register.ts'
import { listedOf } from './shown-text.ts'

export interface DirectoryRow {
  readonly place: DirectoryPlace
  /** The same object for as long as the listing does not change and was shown lately. */
  readonly listed: DirectoryListing
}

/** At most twice so many listings are held as objects. */
const READ_LISTINGS = 10_000

/** The directory in the memory of this replica: what its follower has read of the tables. */
export class Directory {
  #register = new Register()
  /** What was read of late, and what was before that and may be forgotten next. */
  #read = new Map<Kept, DirectoryListing>()
  #readBefore = new Map<Kept, DirectoryListing>()

  get size(): number {
    return this.#register.size
  }

  /** The next listings after a place, in the order of the directory. */
  page(question: DirectoryQuestion, limit: number, after?: DirectoryPlace): DirectoryRow[] {
    return [...this.pageWithHidden(question, limit, after, 0).rows]
  }

  /** The place of a listing, from 1; undefined where it is not among so many. */
  placeOf(slug: string, question: DirectoryQuestion, most: number): { place?: number; isLonger: boolean } {
    const { rows } = pageOf(this.#register, question, most + 1)
    const at = rows.slice(0, most).findIndex(({ kept }) => kept.slug === slug)
    return { ...(at >= 0 ? { place: at + 1 } : {}), isLonger: rows.length > most }
  }

  /** The same, and how many more would be found among what is not reviewed, counted up to a limit. */
  pageWithHidden(
    question: DirectoryQuestion,
    limit: number,
    after: DirectoryPlace | undefined,
    mostHidden: number,
  ): { readonly rows: readonly DirectoryRow[]; readonly hidden: number } {
    const { rows, hidden } = pageOf(this.#register, question, limit, after, mostHidden)
    return { rows: rows.map(({ place, kept }) => ({ place, listed: this.#listed(kept) })), hidden }
  }

  /** What there is among all results of a question. */
  facets(question: DirectoryQuestion): Facets {
    return facetsOf(this.#register, question)
  }

  /** Brings some listings up to date: those with a record are as it says, the others are no longer shown. */
  update(slugs: readonly string[], records: readonly DirectoryRecord[]): void {
    const gone = new Set(slugs)
    for (const record of records) {
      gone.delete(record.slug)
      this.#register.put(indexedListing(record))
    }
    for (const slug of gone) this.#register.remove(slug)
  }

  /** Reads everything anew; what was known before is shown until all is read. */
  async load(
    batches: AsyncIterable<readonly DirectoryRecord[]>,
    yieldToEventLoop: () => Promise<unknown>,
  ): Promise<void> {
    const register = new Register()
    await register.fill(indexed(batches), yieldToEventLoop)
    this.#register = register
    this.#read = new Map()
    this.#readBefore = new Map()
  }

  /** Reads a listing from its text, unless it was read lately. A change puts another object in its place. */
  #listed(kept: Kept): DirectoryListing {
    const known = this.#read.get(kept)
    if (known) return known
    const listed = this.#readBefore.get(kept) ?? listedOf(kept)
    if (this.#read.size >= READ_LISTINGS) {
      this.#readBefore = this.#read
      this.#read = new Map()
    }
    this.#read.set(kept, listed)
    return listed
  }
}

async function* indexed(batches: AsyncIterable<readonly DirectoryRecord[]>) {
  for await (const batch of batches) yield batch.values().map(indexedListing)
}
