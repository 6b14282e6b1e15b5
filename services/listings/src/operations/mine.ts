import { fitting } from '@callboard/bus'
import type { listings } from '@callboard/contract'
import { refuse } from '@callboard/values'
import { type ListingsHandler, ownerOf } from '../context.ts'
import { cursorOf, placeOf } from '../domain/listing-cursor.ts'
import { noTotals, recordOf } from '../domain/views.ts'
import { ownedBy } from '../store/listing.repository.ts'
import { totalsOf } from '../store/settlement.repository.ts'

/** A page ends at its limit, or before its bytes go beyond one message of the bus. */
export const mine: ListingsHandler<typeof listings.mine> = async ({ cursor, limit }, ctx) => {
  const after = cursor === undefined ? undefined : placeOf(cursor)
  if (cursor !== undefined && !after) {
    return refuse('invalid_request', {
      field: 'cursor',
      message: 'The cursor is none of this list; start without one.',
    })
  }
  const owned = await ownedBy(ctx.db, ownerOf(ctx.caller), limit + 1, after)
  const page = owned.slice(0, limit)
  const slugs = page.map(({ slug }) => slug)
  const totals = await totalsOf(ctx.db, slugs, ctx.clock.now())
  const listings = fitting(page.map((listing) => recordOf(listing, totals.get(listing.slug) ?? noTotals)))
  const last = listings.length < owned.length ? page[listings.length - 1] : undefined
  return { listings, nextCursor: last ? cursorOf(last) : null }
}
