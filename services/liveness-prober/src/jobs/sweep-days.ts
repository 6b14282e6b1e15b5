import { every } from '@callboard/runtime'
import { HOUR_MS } from '@callboard/values'
import type { ProberContext } from '../context.ts'
import { sweepDays as removeOldDays } from '../store/check-day.repository.ts'

/** Removes days of checks that are past every week. */
export const sweepDays = every<ProberContext>('sweep-days', HOUR_MS, async ({ db, clock }) => {
  await removeOldDays(db, clock.now())
})
