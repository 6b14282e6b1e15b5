import { ANSWER_BYTES, jsonBytes } from '@callboard/bus'
import type { ListingPlace } from './domain/listing-cursor.ts'

/** Few: a listing with its schemas may take a third of an answer, and its owner may have a hundred of them. */
const AT_ONCE = 10

/** The beginning of an owner's list after a place. */
export interface OwnedPage<Item> {
  readonly items: readonly Item[]
  /** Whether there are more after these. */
  readonly isMore: boolean
}

/**
 * Reads an owner's list in parts, until there are as many items as wanted or more than one answer holds.
 * @param read the next items after a place, at most as many as asked for
 */
export async function ownedPage<Item extends ListingPlace>(
  read: (most: number, after: ListingPlace | undefined) => Promise<readonly Item[]>,
  limit: number,
  after?: ListingPlace,
): Promise<OwnedPage<Item>> {
  const items: Item[] = []
  let bytes = 0
  for (;;) {
    const part = await read(AT_ONCE, items.at(-1) ?? after)
    items.push(...part)
    if (items.length > limit) return { items: items.slice(0, limit), isMore: true }
    if (part.length < AT_ONCE) return { items, isMore: false }
    bytes += jsonBytes(part)
    if (bytes > ANSWER_BYTES) return { items, isMore: true }
  }
}
