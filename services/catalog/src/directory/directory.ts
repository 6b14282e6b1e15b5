import type { Facets, ItemKind } from '@callboard/contract'
import type { DirectoryListing } from '../domain/listed.ts'
import type { DirectoryPlace } from '../domain/places.ts'
import { facetsOf } from './facets.ts'
import { type DirectoryRecord, type IndexedListing, indexedListing } from './indexed-listing.ts'
import { indexedPosting } from './indexed-posting.ts'
import { type DirectoryQuestion, type IndexedPage, pageOf } from './page.ts'
import { type Kept, Register } from './register.ts'
import { listedOf } from './shown-text.ts'

export interface DirectoryRow {
  readonly place: DirectoryPlace
  /** The same object for as long as the listing does not change and was shown lately. */
  readonly listed: DirectoryListing
}

/** What is read apart from listings, and can be missing where they are not. */
const POSTED: readonly ItemKind[] = ['service_offer', 'open_request']

/** At most twice so many listings are held as objects. */
const READ_LISTINGS = 5_000

/** The directory in the memory of this replica: what its follower has read of the tables. */
export class Directory {
  #register = new Register()
  /** The postings in the register, by id; undefined while they cannot be read. */
  #postings: Map<string, IndexedListing> | undefined
  /** What was read of late, and what was before that and may be forgotten next. */
  #read = new Map<Kept, DirectoryListing>()
  #readBefore = new Map<Kept, DirectoryListing>()

  get size(): number {
    return this.#register.size
  }

  /** The kinds that it cannot show now. */
  get unavailableKinds(): readonly ItemKind[] {
    return this.#postings ? [] : POSTED
  }

  /** The next APIs after a place, in the order of the directory. */
  page(question: Omit<DirectoryQuestion, 'kinds'>, limit: number, after?: DirectoryPlace): DirectoryRow[] {
    const { rows } = pageOf(this.#register, { ...question, kinds: ['api'] }, limit, after)
    return rows.map(({ place, kept }) => ({ place, listed: this.#listed(kept) }))
  }

  /** The place of a listing, from 1; undefined where it is not among so many. */
  placeOf(slug: string, question: DirectoryQuestion, most: number): { place?: number; isLonger: boolean } {
    const { rows } = pageOf(this.#register, question, most + 1)
    const at = rows.slice(0, most).findIndex(({ kept }) => kept.slug === slug)
    return { ...(at >= 0 ? { place: at + 1 } : {}), isLonger: rows.length > most }
  }

  /**
   * The next of all kinds that are asked for, as they are held, and how many more would be found among what is not reviewed,
   * counted up to a limit.
   */
  pageWithHidden(
    question: DirectoryQuestion,
    limit: number,
    after: DirectoryPlace | undefined,
    mostHidden: number,
  ): IndexedPage {
    return pageOf(this.#register, question, limit, after, mostHidden)
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

  /** Brings some postings up to date: those with a text are as it says, the others are no longer shown. */
  updatePostings(ids: readonly string[], texts: readonly string[]): void {
    const gone = new Set(ids)
    for (const posting of texts.map(indexedPosting)) {
      gone.delete(posting.slug)
      this.#postings?.set(posting.slug, posting)
      this.#register.put(posting)
    }
    for (const id of gone) this.#removePosting(id)
  }

  /** Puts these postings in the place of all that it had; from then on their kinds can be shown. */
  loadPostings(texts: readonly string[]): void {
    const known = this.#postings ?? new Map<string, IndexedListing>()
    this.#postings = known
    this.updatePostings([...known.keys()], texts)
  }

  /** Shows no posting until they are loaded again. */
  forgetPostings(): void {
    for (const id of this.#postings?.keys() ?? []) this.#register.remove(id)
    this.#postings = undefined
  }

  /** Lets go of what has expired, which is shown no more anyway. */
  dropExpired(nowMs: number): void {
    for (const { slug, posting } of this.#postings?.values() ?? []) {
      if (posting && posting.expiresAtMs <= nowMs) this.#removePosting(slug)
    }
  }

  #removePosting(id: string): void {
    this.#postings?.delete(id)
    this.#register.remove(id)
  }

  /** Reads all listings anew; what was known before is shown until all is read. Postings stay as they are. */
  async load(
    batches: AsyncIterable<readonly DirectoryRecord[]>,
    yieldToEventLoop: () => Promise<unknown>,
  ): Promise<void> {
    const register = new Register()
    await register.fill(indexed(batches, this.#postings?.values() ?? []), yieldToEventLoop)
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

async function* indexed(batches: AsyncIterable<readonly DirectoryRecord[]>, postings: Iterable<IndexedListing>) {
  for await (const batch of batches) yield batch.values().map(indexedListing)
  yield postings
}
