import { nameKey } from '../domain/search-text.ts'
import { wordsOf } from '../domain/words.ts'
import type { IndexedListing, ShownText } from './indexed-listing.ts'
import { type Compare, Ordered } from './ordered.ts'
import { Postings, type Terms } from './postings.ts'
import type { Found } from './relevance.ts'

/** What is kept of a listing beside its place. */
export interface Kept extends Found, ShownText {
  readonly slug: string
  readonly isVouchedFor: boolean
}

/** Listings between two breaths of a load, so that nothing else waits long. */
const BREATH = 1000

/**
 * All published listings of the directory under numbers, with their orders: of everything, of each name, of each word.
 * A listing moves in every order at once; between two calls all of them agree.
 */
export class Register {
  readonly compare: Compare = (a, b) => {
    if (a === b) return 0
    return this.keyOf(a) - this.keyOf(b) || (this.slugOf(a) < this.slugOf(b) ? -1 : 1)
  }
  readonly everything = new Ordered(this.compare)
  readonly postings = new Postings(this.compare)
  readonly #byName = new Map<string, Ordered>()
  readonly #bySlug = new Map<string, number>()
  readonly #free: number[] = []
  readonly #keys: number[] = []
  readonly #okAtMs: number[] = []
  readonly #kept: (Kept | undefined)[] = []

  get size(): number {
    return this.#bySlug.size
  }

  has(slug: string): boolean {
    return this.#bySlug.has(slug)
  }

  keyOf(listing: number): number {
    return this.#keys[listing] ?? 0
  }

  okAtMsOf(listing: number): number {
    return this.#okAtMs[listing] ?? 0
  }

  slugOf(listing: number): string {
    return this.#kept[listing]?.slug ?? ''
  }

  keptOf(listing: number): Kept {
    const kept = this.#kept[listing]
    if (!kept) throw new Error(`There is no listing ${listing}`)
    return kept
  }

  /** The listings whose name has a key. */
  named(key: string): Ordered | undefined {
    return this.#byName.get(key)
  }

  /** Puts a listing where it belongs now. One whose snapshot is the same keeps its words, and mostly only moves. */
  put(listing: IndexedListing): void {
    const known = this.#bySlug.get(listing.slug)
    if (known === undefined) {
      const at = this.#free.pop() ?? this.#kept.length
      this.#keep(at, listing, this.#learn(listing))
      this.#enter(at)
      return
    }
    const before = this.keptOf(known)
    const isSameText = before.snapshot === listing.snapshot
    const terms = isSameText ? before : this.#learn(listing)
    const stays = isSameText && listing.key === this.keyOf(known)
    if (!stays) this.#leave(known)
    this.#keep(known, listing, terms)
    if (!stays) this.#enter(known)
    if (!isSameText) this.postings.tidy(before)
  }

  remove(slug: string): void {
    const at = this.#bySlug.get(slug)
    if (at === undefined) return
    const before = this.keptOf(at)
    this.#leave(at)
    this.postings.tidy(before)
    this.#bySlug.delete(slug)
    this.#kept[at] = undefined
    this.#free.push(at)
  }

  /**
   * Fills an empty register: sorts once and appends, which costs a tenth of putting one by one.
   * @param breathe awaited now and then, so that others get their turn
   */
  async fill(batches: AsyncIterable<readonly IndexedListing[]>, breathe: () => Promise<unknown>): Promise<void> {
    for await (const batch of batches) {
      for (const listing of batch) this.#keep(this.#kept.length, listing, this.#learn(listing))
    }
    const sorted = Uint32Array.from(this.#kept.keys()).sort(this.compare)
    for (const [position, at] of sorted.entries()) {
      if (position % BREATH === 0) await breathe()
      const kept = this.keptOf(at)
      this.everything.append(at)
      this.#nameOf(kept).append(at)
      this.postings.append(at, kept)
    }
  }

  #learn({ name, text, labels }: IndexedListing): Terms {
    return this.postings.learn(wordsOf(name), wordsOf(text), labels)
  }

  #keep(at: number, listing: IndexedListing, { ids, nameEnd, textEnd }: Terms): void {
    const { slug, name, snapshot, standing, isVouchedFor } = listing
    this.#bySlug.set(slug, at)
    this.#keys[at] = listing.key
    this.#okAtMs[at] = listing.okAtMs
    this.#kept[at] = { slug, nameKey: nameKey(name), ids, nameEnd, textEnd, snapshot, standing, isVouchedFor }
  }

  #enter(at: number): void {
    const kept = this.keptOf(at)
    this.everything.add(at)
    this.#nameOf(kept).add(at)
    this.postings.enter(at, kept)
  }

  #leave(at: number): void {
    const kept = this.keptOf(at)
    this.everything.remove(at)
    const ofName = this.#nameOf(kept)
    ofName.remove(at)
    if (ofName.size === 0) this.#byName.delete(kept.nameKey)
    this.postings.leave(at, kept)
  }

  #nameOf({ nameKey: key }: Kept): Ordered {
    const known = this.#byName.get(key)
    if (known) return known
    const list = new Ordered(this.compare)
    this.#byName.set(key, list)
    return list
  }
}
