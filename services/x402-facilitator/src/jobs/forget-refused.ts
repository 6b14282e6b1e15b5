import { every } from '@callboard/runtime'
import { DAY_MS, HOUR_MS } from '@callboard/values'
import type { FacilitatorContext } from '../context.ts'
import { deleteGivenUp, deleteRefused } from '../store/refused.repository.ts'

/** How long a payer and seller can ask why a payment was refused. */
const KEPT_MS = 30 * DAY_MS

/**
 * Forgets payments that were refused and nothing else, and what is left of purchases that were given up: signing one
 * costs its payer nothing, nor does a new wallet.
 */
export const forgetRefused = every<FacilitatorContext>('forget-refused', HOUR_MS, async ({ db, clock }, signal) => {
  const before = new Date(clock.now() - KEPT_MS)
  while ((await deleteRefused(db, before)) && !signal.aborted);
  while ((await deleteGivenUp(db, before)) && !signal.aborted);
})
