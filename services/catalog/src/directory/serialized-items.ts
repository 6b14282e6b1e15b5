import { RawJson } from '@callboard/bus'
import type { DiscoveryItem } from '@callboard/contract'
import { discoveryItem } from '../domain/card.ts'
import { type Filters, isOfOffers } from '../domain/filters.ts'
import type { Kept } from './directory-index.ts'
import { listedOf } from './shown-text.ts'

/** A listing as the index holds it: each change replaces the object, so that a cached item is never out of date. */
export type HeldListing = Pick<Kept, 'snapshot' | 'seen' | 'hasSeveralOffers'>

/** Twice this many characters are held at most; each takes one byte, or two in an item that goes beyond Latin-1. */
const MOST_CHARACTERS = 24 * 2 ** 20

/**
 * The JSON items of listings that discovery showed recently: reading a listing's text, signing its link and writing its
 * item happen once until it changes.
 */
export class SerializedItems {
  readonly #key: string
  readonly #most: number
  /** Items shown recently, and those shown before them, which are dropped next. */
  #shown = new Map<HeldListing, RawJson<DiscoveryItem>>()
  #shownBefore = new Map<HeldListing, RawJson<DiscoveryItem>>()
  #characters = 0

  /** @param key the key that signs the links */
  constructor(key: string, mostCharacters: number = MOST_CHARACTERS) {
    this.#key = key
    this.#most = mostCharacters
  }

  /** The item of a listing that satisfies the filters. */
  of(listing: HeldListing, filters: Filters): RawJson<DiscoveryItem> {
    // The filters determine which of several offers is shown.
    if (listing.hasSeveralOffers && isOfOffers(filters)) return this.#write(listing, filters)
    return this.#shown.get(listing) ?? this.#hold(listing, this.#shownBefore.get(listing) ?? this.#write(listing, {}))
  }

  #write(listing: HeldListing, filters: Filters): RawJson<DiscoveryItem> {
    return RawJson.value(discoveryItem(listedOf(listing), this.#key, filters))
  }

  #hold(listing: HeldListing, item: RawJson<DiscoveryItem>): RawJson<DiscoveryItem> {
    if (this.#characters + item.json.length > this.#most) {
      this.#shownBefore = this.#shown
      this.#shown = new Map()
      this.#characters = 0
    }
    this.#characters += item.json.length
    this.#shown.set(listing, item)
    return item
  }
}
