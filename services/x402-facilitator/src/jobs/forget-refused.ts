import { forgetting } from '@callboard/runtime'
import { DAY_MS, HOUR_MS } from '@callboard/values'
import type { FacilitatorContext } from '../context.ts'
import { deleteCrowded, deleteGivenUp, deleteRefused } from '../store/refused.repository.ts'

/** How long a payer and seller can ask why a payment was refused. */
const KEPT_MS = 30 * DAY_MS

/**
 * Forgets payments that were refused and nothing else, and what is left of purchases that were given up: signing one
 * costs its payer nothing, nor does a new wallet.
 */
export const forgetRefused = forgetting<FacilitatorContext>('forget-refused', KEPT_MS, deleteRefused, deleteGivenUp)

/** Forgets sooner what one network has in excess, so that it can have no number of rows kept. */
export const forgetCrowded = forgetting<FacilitatorContext>('forget-crowded', HOUR_MS, deleteCrowded)
