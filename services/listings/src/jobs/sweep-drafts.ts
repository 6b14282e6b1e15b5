import { every } from '@callboard/runtime'
import { HOUR_MS } from '@callboard/values'
import type { ListingsContext } from '../context.ts'
import { NAME_HELD_MS } from '../domain/slug-claim.ts'
import { deleteUnlistedBefore } from '../store/listing.repository.ts'

/**
 * Deletes drafts that their owners withdrew before anyone else saw them, as long after as the name of a listing is kept. What was
 * public stays: its slug is never another's, and what it earned is attributed to it.
 */
export const sweepDrafts = every<ListingsContext>('sweep-drafts', HOUR_MS, async ({ db, clock }) => {
  await deleteUnlistedBefore(db, new Date(clock.now() - NAME_HELD_MS))
})
