import { MOST_POSTING_DAYS } from '@callboard/contract'
import { every } from '@callboard/runtime'
import { DAY_MS, HOUR_MS } from '@callboard/values'
import type { CatalogContext } from '../context.ts'
import { deleteEnded } from '../store/posting.repository.ts'

/** No version of a posting stays open longer than this, so that one that arrives late is not shown either. */
const KEPT_MS = MOST_POSTING_DAYS * DAY_MS

/** Deletes postings that ended so long ago that no version of them can still be open. */
export const sweepPostings = every<CatalogContext>('sweep-postings', HOUR_MS, async ({ db, clock }) => {
  await deleteEnded(db, new Date(clock.now() - KEPT_MS))
})
