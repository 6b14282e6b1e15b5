import { forgetting } from '@callboard/runtime'
import { DAY_MS } from '@callboard/values'
import type { FacilitatorContext } from '../context.ts'
import { deleteForeign, deleteWithoutCredit } from '../store/foreign.repository.ts'

/** As long as a payment that was refused. */
const KEPT_MS = 30 * DAY_MS

/**
 * Forgets payments that third parties had submitted, and payers without credit: anyone may present the authorizations
 * that a chain shows, in any number and at no cost.
 */
export const forgetForeign = forgetting<FacilitatorContext>(
  'forget-foreign',
  KEPT_MS,
  deleteForeign,
  deleteWithoutCredit,
)
