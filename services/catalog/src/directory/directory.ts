import type { Facets, ItemKind } from '@callboard/contract'
import type { DirectoryListing } from '../domain/listed.ts'
import type { DirectoryPlace } from '../domain/places.ts'
import { DirectoryIndex, type Kept } from './directory-index.ts'
import { facetsOf } from './facets.ts'
import { type DirectoryRecord, type IndexedListing, indexedListing } from './indexed-listing.ts'
import { indexedPosting } from './indexed-posting.ts'
import { type IndexedPage, type PageBounds, pageOf } from './page.ts'
import type { DirectoryQuestion } from './shown-part.ts'
import { listedOf } from './shown-text.ts'

export interface DirectoryRow {
  readonly place: DirectoryPlace
  /** The same object until the listing changes, if it was shown recently. */
  readonly listed: DirectoryListing
}

/** The kinds that are read separately from listings, and may be missing when listings are not. */
const POSTED: readonly ItemKind[] = ['service_offer', 'open_request']

/** At most twice this many listings are held as objects. */
const READ_LISTINGS = 5_000

/** The directory in this replica's memory: what its follower has read from the tables. */
export class Directory {
  #index = new DirectoryIndex()
  /** The postings in the index, by id; undefined while they cannot be read. */
  #postings: Map<string, IndexedListing> | undefined
  /** Listings read recently, and those read before them, which are dropped next. */
  #read = new Map<Kept, DirectoryListing>()
  #readBefore = new Map<Kept, DirectoryListing>()

  get size(): number {
    return this.#index.size
  }

  /** The kinds that cannot be shown now. */
  get unavailableKinds(): readonly ItemKind[] {
    return this.#postings ? [] : POSTED
  }

  /** The next APIs after a place, in the order of the directory. */
  page(question: Omit<DirectoryQuestion, 'kinds'>, limit: number, after?: DirectoryPlace): DirectoryRow[] {
    const { rows } = pageOf(this.#index, { ...question, kinds: ['api'] }, { limit, after })
    return rows.map(({ place, kept }) => ({ place, listed: this.#listed(kept) }))
  }

  /** The place of a listing, from 1; undefined if it is not among the first `most`. */
  placeOf(slug: string, question: DirectoryQuestion, most: number): { place?: number; isLonger: boolean } {
    const { rows } = pageOf(this.#index, question, { limit: most + 1 })
    const at = rows.slice(0, most).findIndex(({ kept }) => kept.slug === slug)
    return { ...(at >= 0 ? { place: at + 1 } : {}), isLonger: rows.length > most }
  }

  /**
   * The next results of all requested kinds, as they are held, and how many more there would be among unreviewed
   * listings, counted up to a limit.
   */
  pageWithHidden(question: DirectoryQuestion, bounds: PageBounds): IndexedPage {
    return pageOf(this.#index, question, bounds)
  }

  /** Counts over all results of a query, given the floors of one of its pages. */
  facets(question: DirectoryQuestion, floors: IndexedPage['floors']): Facets {
    return facetsOf(this.#index, question, floors)
  }

  /** Updates some listings: those with a record are set from it, the others are no longer shown. */
  update(slugs: readonly string[], records: readonly DirectoryRecord[]): void {
    const gone = new Set(slugs)
    for (const record of records) {
      gone.delete(record.slug)
      this.#index.put(indexedListing(record))
    }
    for (const slug of gone) this.#index.remove(slug)
  }

  /** Updates some postings: those with a text are set from it, the others are no longer shown. */
  updatePostings(ids: readonly string[], texts: readonly string[]): void {
    const gone = new Set(ids)
    for (const posting of texts.map(indexedPosting)) {
      gone.delete(posting.slug)
      this.#postings?.set(posting.slug, posting)
      this.#index.put(posting)
    }
    for (const id of gone) this.#removePosting(id)
  }

  /** Replaces all postings with these; from then on their kinds can be shown. */
  loadPostings(texts: readonly string[]): void {
    const known = this.#postings ?? new Map<string, IndexedListing>()
    this.#postings = known
    this.updatePostings([...known.keys()], texts)
  }

  /** Shows no posting until they are loaded again. */
  forgetPostings(): void {
    for (const id of this.#postings?.keys() ?? []) this.#index.remove(id)
    this.#postings = undefined
  }

  /** Removes expired postings, which are not shown anyway. */
  dropExpired(nowMs: number): void {
    for (const { slug, posting } of this.#postings?.values() ?? []) {
      if (posting && posting.expiresAtMs <= nowMs) this.#removePosting(slug)
    }
  }

  #removePosting(id: string): void {
    this.#postings?.delete(id)
    this.#index.remove(id)
  }

  /** Reads all listings anew; the previous ones are shown until everything is read. Postings stay as they are. */
  async load(
    batches: AsyncIterable<readonly DirectoryRecord[]>,
    yieldToEventLoop: () => Promise<unknown>,
  ): Promise<void> {
    const index = new DirectoryIndex()
    await index.fill(indexed(batches, this.#postings?.values() ?? []), yieldToEventLoop)
    this.#index = index
    this.#read = new Map()
    this.#readBefore = new Map()
  }

  /** Reads a listing from its text, unless it was read recently. A change replaces the object. */
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
