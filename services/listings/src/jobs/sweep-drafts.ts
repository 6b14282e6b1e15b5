import { every } from '@callboard/runtime'
import { HOUR_MS } from '@callboard/values'
import type { ListingsContext } from '../context.ts'
import { NAME_HELD_MS } from '../domain/slug-claim.ts'
import { deleteUnlistedBefore } from '../store/listing.repository.ts'

/**
 * Deletes drafts that their owners withdrew before anyone else saw them, once the time for keeping a name is over.
 * Public listings stay: their slugs never go to others, and what they earned is attributed to them.
 */
export const sweepDrafts = every<ListingsContext>('sweep-drafts', HOUR_MS, async ({ db, clock }) => {
  await deleteUnlistedBefore(db, new Date(clock.now() - NAME_HELD_MS))
})
