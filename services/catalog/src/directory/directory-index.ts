import {
  END,
  nameKey,
  Ordered,
  type Positioned,
  Positions,
  Postings,
  sortedByNumber,
  type Terms,
} from '@callboard/search-index'
import { aliases } from '../domain/aliases.ts'
import { comparable } from '../domain/price.ts'
import { GROUPS } from '../domain/ranking.ts'
import type { IndexedListing, PostingTerms } from './indexed-listing.ts'
import { NumbersBySlot } from './numbers-by-slot.ts'
import type { Offer } from './offers.ts'
import { groupKey } from './place-key.ts'
import type { ShownText } from './shown-text.ts'
import { VisibilityKeys } from './visibility-keys.ts'

/** What is kept of a listing; each change replaces the object. */
export interface Kept
  extends Terms,
    ShownText,
    Positioned,
    Pick<IndexedListing, 'uptime7d' | 'lowestPrice' | 'hasSeveralOffers'> {
  readonly slug: string
  readonly nameKey: string
  /** Its `placeKey`. */
  readonly key: number
  readonly tieBreak: number
  readonly okAtMs: number
  readonly isVouchedFor: boolean
  /** How many labels facets count: its first ones. */
  readonly facets: number
  /** The ways in which it is paid, with labels as numbers of the index; undefined if there is only one. */
  readonly offers: readonly Offer<number>[] | undefined
  /** Undefined on listings. */
  readonly posting: PostingTerms | undefined
}

/** No label. */
const UNKNOWN = -1
/** Listings between two yields of a load, so that other work does not wait long. */
const BETWEEN_YIELDS = 100

const bySlug = (a: Kept, b: Kept): number => (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0)
/** Listings with equal keys. */
const alike = (a: Kept, b: Kept): number => a.tieBreak - b.tieBreak || bySlug(a, b)
const inOrder = (a: Kept, b: Kept): number => a.key - b.key || alike(a, b)

/**
 * All published listings of the directory. Each has a position, a number that rises along the directory's order; the
 * orders of each name and each word hold positions. A listing moves in all orders at once; between two calls they all
 * agree.
 */
export class DirectoryIndex {
  readonly postings = new Postings(aliases)
  readonly positions = new Positions<Kept>(inOrder, {
    leave: (kept) => this.#leaveLists(kept),
    enter: (kept) => this.#enterLists(kept),
  })
  readonly #byName = new Map<string, Ordered>()
  readonly #bySlug = new Map<string, Kept>()
  readonly #keys = new VisibilityKeys()
  readonly #lowestPrices = new NumbersBySlot()
  readonly #uptimes = new NumbersBySlot()
  /** The position after each group, cached until a listing moves. */
  #groupEnds: readonly number[] | undefined

  get size(): number {
    return this.#bySlug.size
  }

  /** The positions of all listings. */
  get everything(): Ordered {
    return this.positions.order
  }

  /** A listing, by its slug. */
  find(slug: string): Kept | undefined {
    return this.#bySlug.get(slug)
  }

  /** The listing at a position. */
  at(position: number): Kept {
    return this.positions.at(position)
  }

  /** The number that decides whether the listing at a position is shown, see `VisibilityKeys`. */
  visibilityKeyAt(position: number): number {
    return this.#keys.at(this.positions.slotAt(position))
  }

  /** The lowest price of the listing at a position, as its `comparable`. */
  lowestPriceAt(position: number): number {
    return this.#lowestPrices.at(this.positions.slotAt(position)) ?? 0
  }

  /** The week's uptime of the listing at a position. */
  uptimeAt(position: number): number {
    return this.#uptimes.at(this.positions.slotAt(position)) ?? 1
  }

  /** The position after each group except the last. */
  get groupEnds(): readonly number[] {
    this.#groupEnds ??= GROUPS.slice(1).map((_, before) => {
      const end = groupKey(before + 1)
      return this.positions.first(({ key }) => key < end)
    })
    return this.#groupEnds
  }

  /** The listings whose name has a key. */
  named(key: string): Ordered | undefined {
    return this.#byName.get(key)
  }

  /** Moves a listing to its current place. If its snapshot is unchanged, it keeps its words, and mostly just moves. */
  put(listing: IndexedListing): void {
    const before = this.#bySlug.get(listing.slug)
    const isSameText = before?.snapshot === listing.snapshot
    const kept = this.#keptOf(listing, before && isSameText ? before : this.#learn(listing))
    this.#bySlug.set(kept.slug, kept)
    if (before && isSameText && before.key === kept.key && before.tieBreak === kept.tieBreak) {
      this.positions.replace(before, kept)
      this.#note(kept)
      return
    }
    if (before) this.#leave(before)
    this.positions.add(kept)
    this.#note(kept)
    this.#enterLists(kept)
    if (before && !isSameText) this.postings.forget(before)
  }

  remove(slug: string): void {
    const before = this.#bySlug.get(slug)
    if (!before) return
    this.#leave(before)
    this.postings.forget(before)
    this.#bySlug.delete(slug)
  }

  /**
   * Fills an empty index: sorts once and appends, which costs a tenth of inserting one by one.
   * @param yieldToEventLoop awaited now and then, so that other work gets its turn
   */
  async fill(
    batches: AsyncIterable<Iterable<IndexedListing>>,
    yieldToEventLoop: () => Promise<unknown>,
  ): Promise<void> {
    for await (const batch of batches) {
      for (const listing of batch) {
        if (this.size % BETWEEN_YIELDS === 0) await yieldToEventLoop()
        this.#bySlug.set(listing.slug, this.#keptOf(listing, this.#meet(listing)))
      }
    }
    await this.postings.vocabulary.arrange(yieldToEventLoop)
    const all = await sortedByNumber([...this.#bySlug.values()], ({ key }) => key, alike, yieldToEventLoop)
    await this.positions.fill(all, yieldToEventLoop)
    for (const [at, kept] of all.entries()) {
      if (at % BETWEEN_YIELDS === 0) await yieldToEventLoop()
      this.#nameOf(kept).append(kept.position)
      this.#note(kept)
    }
    await this.postings.fill(all, yieldToEventLoop)
  }

  #learn({ name, text, facets, labels }: IndexedListing): Terms {
    return this.postings.learn(name, text, [...facets, ...labels])
  }

  #meet({ name, text, facets, labels }: IndexedListing): Terms {
    return this.postings.meet(name, text, [...facets, ...labels])
  }

  #keptOf(listing: IndexedListing, terms: Terms): Kept {
    return keptOf(listing, terms, (label) => this.postings.vocabulary.idOf(label) ?? UNKNOWN)
  }

  /** Writes the numbers that queries read in place of the listing. */
  #note(kept: Kept): void {
    this.#keys.set(kept.slot, kept)
    this.#lowestPrices.set(kept.slot, comparable(kept.lowestPrice))
    this.#uptimes.set(kept.slot, kept.uptime7d)
  }

  #leave(kept: Kept): void {
    this.#leaveLists(kept)
    this.positions.remove(kept)
  }

  #enterLists(kept: Kept): void {
    this.#groupEnds = undefined
    this.#nameOf(kept).add(kept.position)
    this.postings.enter(kept.position, kept)
  }

  #leaveLists(kept: Kept): void {
    this.#groupEnds = undefined
    const ofName = this.#nameOf(kept)
    ofName.remove(kept.position)
    if (ofName.size === 0) this.#byName.delete(kept.nameKey)
    this.postings.leave(kept.position, kept)
  }

  #nameOf({ nameKey: key }: Kept): Ordered {
    const known = this.#byName.get(key)
    if (known) return known
    const list = new Ordered()
    this.#byName.set(key, list)
    return list
  }
}

function keptOf(
  listing: IndexedListing,
  { wordsAt, nameEnd, textEnd, end }: Terms,
  idOf: (label: string) => number,
): Kept {
  const { slug, key, tieBreak, name, okAtMs, isVouchedFor, uptime7d, snapshot, seen, facets, offers } = listing
  return {
    slug,
    key,
    tieBreak,
    okAtMs,
    isVouchedFor,
    uptime7d,
    lowestPrice: listing.lowestPrice,
    hasSeveralOffers: listing.hasSeveralOffers,
    facets: facets.length,
    offers: offers.length > 1 ? offers.map(({ labels, price }) => ({ labels: labels.map(idOf), price })) : undefined,
    posting: listing.posting,
    nameKey: nameKey(name),
    wordsAt,
    nameEnd,
    textEnd,
    end,
    snapshot,
    seen,
    position: END,
    slot: -1,
  }
}
