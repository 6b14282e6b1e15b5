import { fitting } from '@callboard/bus'
import type { listings } from '@callboard/contract'
import { refuse } from '@callboard/values'
import { type ListingsHandler, ownerInPersonOf } from '../context.ts'
import { cursorOf, type ListingPlace, placeOf } from '../domain/listing-cursor.ts'
import { heldRecord } from '../domain/mirror/held-record.ts'
import { noTotals, recordOf } from '../domain/views.ts'
import { ownedPage } from '../owned-page.ts'
import { ownedBy } from '../store/listing.repository.ts'
import { heldBy } from '../store/mirror.repository.ts'
import { totalsOf } from '../store/settlement.repository.ts'

/** A page ends at its limit, or before it exceeds one message of the bus. */
export const mine: ListingsHandler<typeof listings.mine> = async ({ cursor, limit }, ctx) => {
  const after = cursor === undefined ? undefined : placeOf(cursor)
  if (cursor !== undefined && !after) {
    return refuse('invalid_request', {
      field: 'cursor',
      message: 'The cursor does not belong to this list. Start without one.',
    })
  }
  const owner = ownerInPersonOf(ctx.caller)
  const read = async (most: number, from: ListingPlace | undefined) => {
    const listed = await ownedBy(ctx.db, owner, most, from)
    const claimed = await heldBy(ctx.db, owner, most, from)
    return [...listed, ...claimed].toSorted(inOrder).slice(0, most)
  }
  const { items, isMore } = await ownedPage(read, limit, after)
  const totals = await totalsOf(ctx.db, slugsOf(items), ctx.clock.now())
  const listings = fitting(
    items.map((one) => ('claim' in one ? heldRecord(one) : recordOf(one, totals.get(one.slug) ?? noTotals))),
  )
  const last = isMore || listings.length < items.length ? items[listings.length - 1] : undefined
  return { listings, nextCursor: last ? cursorOf(last) : null }
}

const slugsOf = (page: readonly ListingPlace[]): string[] => page.map(({ slug }) => slug)

const inOrder = (one: ListingPlace, other: ListingPlace): number =>
  one.createdAt - other.createdAt || (one.slug < other.slug ? -1 : 1)
