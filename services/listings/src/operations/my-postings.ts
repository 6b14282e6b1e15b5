import { fitting } from '@callboard/bus'
import type { listings } from '@callboard/contract'
import { refuse } from '@callboard/values'
import { type ListingsHandler, ownerInPersonOf } from '../context.ts'
import { cursorOf, placeOf } from '../domain/listing-cursor.ts'
import { recordOf } from '../domain/posting/posting.ts'
import { postingsOf } from '../store/posting.repository.ts'

const LIST = 'listings.myPostings/1'

/** A page ends at its limit, or before it exceeds one message of the bus. */
export const myPostings: ListingsHandler<typeof listings.myPostings> = async ({ cursor, limit }, ctx) => {
  const after = cursor === undefined ? undefined : placeOf(cursor, LIST)
  if (cursor !== undefined && !after) {
    const message = 'The cursor does not belong to this list. Start without one.'
    return refuse('invalid_request', { field: 'cursor', message })
  }
  const owned = await postingsOf(ctx.db, ownerInPersonOf(ctx.caller), limit + 1, after)
  const now = ctx.clock.now()
  const postings = fitting(owned.slice(0, limit).map((posting) => recordOf(posting, now)))
  const last = postings.length < owned.length ? owned[postings.length - 1] : undefined
  return { postings, nextCursor: last ? cursorOf({ createdAt: last.createdAt, slug: last.id }, LIST) : null }
}
