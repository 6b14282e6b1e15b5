import { every } from '@callboard/runtime'
import { HOUR_MS } from '@callboard/values'
import type { CatalogContext } from '../context.ts'
import { deleteExpired } from '../store/support-report.repository.ts'

/** Deletes support reports that have expired. */
export const sweepReports = every<CatalogContext>('sweep-reports', HOUR_MS, async ({ db, clock }) => {
  await deleteExpired(db, new Date(clock.now()))
})
