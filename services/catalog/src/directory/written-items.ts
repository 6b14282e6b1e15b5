import { Written } from '@callboard/bus'
import type { DiscoveryItem } from '@callboard/contract'
import { discoveryItem } from '../domain/card.ts'
import { type Filters, isOfOffers } from '../domain/filters.ts'
import type { Kept } from './register.ts'
import { listedOf } from './shown-text.ts'

/** A listing as the register holds it: another object after each change, so that what was made of one is never out of date. */
export type HeldListing = Pick<Kept, 'snapshot' | 'seen' | 'hasSeveralOffers'>

/** Of so many characters of items twice as many are held at most; one takes a byte, and two in an item that goes beyond Latin-1. */
const MOST_CHARACTERS = 24 * 2 ** 20

/**
 * The items of listings that discovery showed of late, as JSON: reading a listing's text, signing its link and writing its item is
 * done once for as long as it does not change.
 */
export class WrittenItems {
  readonly #key: string
  readonly #most: number
  /** What was shown of late, and what was before that and may be forgotten next. */
  #shown = new Map<HeldListing, Written<DiscoveryItem>>()
  #shownBefore = new Map<HeldListing, Written<DiscoveryItem>>()
  #characters = 0

  /** @param key signs the links */
  constructor(key: string, mostCharacters: number = MOST_CHARACTERS) {
    this.#key = key
    this.#most = mostCharacters
  }

  /** The item of a listing that has what is asked for. */
  of(listing: HeldListing, filters: Filters): Written<DiscoveryItem> {
    // Which of several offers is shown depends on what is asked.
    if (listing.hasSeveralOffers && isOfOffers(filters)) return this.#write(listing, filters)
    return this.#shown.get(listing) ?? this.#hold(listing, this.#shownBefore.get(listing) ?? this.#write(listing, {}))
  }

  #write(listing: HeldListing, filters: Filters): Written<DiscoveryItem> {
    return Written.value(discoveryItem(listedOf(listing), this.#key, filters))
  }

  #hold(listing: HeldListing, item: Written<DiscoveryItem>): Written<DiscoveryItem> {
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
