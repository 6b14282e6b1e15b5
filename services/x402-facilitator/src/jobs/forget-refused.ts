import { every } from '@callboard/runtime'
import { DAY_MS, HOUR_MS } from '@callboard/values'
import type { FacilitatorContext } from '../context.ts'
import { deleteRefused } from '../store/refused.repository.ts'

/** For so long its payer and seller can ask why it was refused. */
const KEPT_MS = 30 * DAY_MS

/** Forgets payments that were refused and came to nothing else: signing one costs its payer nothing, and neither does a wallet. */
export const forgetRefused = every<FacilitatorContext>('forget-refused', HOUR_MS, async ({ db, clock }, signal) => {
  const before = new Date(clock.now() - KEPT_MS)
  while ((await deleteRefused(db, before)) && !signal.aborted);
})
