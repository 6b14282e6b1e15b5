import { every } from '@callboard/runtime'
import { DAY_MS, HOUR_MS } from '@callboard/values'
import type { CatalogContext } from '../context.ts'
import { deleteChecksBefore } from '../store/check.repository.ts'
import { deleteLiveOffersBefore } from '../store/entry/offer.repository.ts'

/** A watched endpoint is checked far more often: one whose last check is older is no longer watched. */
const KEPT_MS = 90 * DAY_MS

/**
 * Deletes check results of endpoints not checked for a quarter of a year: of removed listings, and of endpoints that a
 * listing no longer sells. A listing's prices, owner and payments stay, since the ledger is history.
 */
export const sweepChecks = every<CatalogContext>('sweep-checks', HOUR_MS, async ({ db, clock }) => {
  const before = new Date(clock.now() - KEPT_MS)
  await deleteChecksBefore(db, before)
  await deleteLiveOffersBefore(db, before)
})
