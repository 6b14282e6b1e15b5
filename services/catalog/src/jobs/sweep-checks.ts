import { every } from '@callboard/runtime'
import { DAY_MS, HOUR_MS } from '@callboard/values'
import type { CatalogContext } from '../context.ts'
import { deleteChecksBefore } from '../store/check.repository.ts'
import { deleteLiveOffersBefore } from '../store/entry/offer.repository.ts'

/** An endpoint that is watched is checked far more often: one whose last check is older is watched no more. */
const KEPT_MS = 90 * DAY_MS

/**
 * Deletes what checks said of endpoints that were not checked for a quarter of a year: of listings that were removed, and of those that a
 * listing sells no more. What a listing asked, whose it was and what it was paid stay, since the ledger is history.
 */
export const sweepChecks = every<CatalogContext>('sweep-checks', HOUR_MS, async ({ db, clock }) => {
  const before = new Date(clock.now() - KEPT_MS)
  await deleteChecksBefore(db, before)
  await deleteLiveOffersBefore(db, before)
})
