import { MOST_POSTING_DAYS } from '@callboard/contract'
import { every } from '@callboard/runtime'
import { DAY_MS, HOUR_MS } from '@callboard/values'
import type { CatalogContext } from '../context.ts'
import { deleteEnded } from '../store/posting.repository.ts'

/** No version of a posting is open for longer after it was made, so that one that arrives late shows nothing either. */
const KEPT_MS = MOST_POSTING_DAYS * DAY_MS

/** Deletes postings that ended so long ago that nothing said of them can be open any more. */
export const sweepPostings = every<CatalogContext>('sweep-postings', HOUR_MS, async ({ db, clock }) => {
  await deleteEnded(db, new Date(clock.now() - KEPT_MS))
})
