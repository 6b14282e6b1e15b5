import { fitting } from '@callboard/bus'
import type { listings } from '@callboard/contract'
import { refuse } from '@callboard/values'
import { type ListingsHandler, ownerInPersonOf } from '../context.ts'
import { cursorOf, type ListingPlace, placeOf } from '../domain/listing-cursor.ts'
import { heldRecord } from '../domain/mirror/held-record.ts'
import { noTotals, recordOf } from '../domain/views.ts'
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
  const listed = await ownedBy(ctx.db, owner, limit + 1, after)
  const claimed = await heldBy(ctx.db, owner, limit + 1, after)
  const owned = [...listed, ...claimed].toSorted(inOrder)
  const page = owned.slice(0, limit)
  const totals = await totalsOf(ctx.db, slugsOf(page), ctx.clock.now())
  const listings = fitting(
    page.map((one) => ('claim' in one ? heldRecord(one) : recordOf(one, totals.get(one.slug) ?? noTotals))),
  )
  const last = listings.length < owned.length ? page[listings.length - 1] : undefined
  return { listings, nextCursor: last ? cursorOf(last) : null }
}

const slugsOf = (page: readonly ListingPlace[]): string[] => page.map(({ slug }) => slug)

const inOrder = (one: ListingPlace, other: ListingPlace): number =>
  one.createdAt - other.createdAt || (one.slug < other.slug ? -1 : 1)
