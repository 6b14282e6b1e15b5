import { forgetting } from '@callboard/runtime'
import { DAY_MS } from '@callboard/values'
import type { RouterContext } from '../context.ts'
import { forgetFailed } from '../store/top-up.repository.ts'

/** As long as the facilitator can say why it refused a payment. */
const KEPT_MS = 30 * DAY_MS

/** Forgets payments that failed long ago: signing one that a wallet cannot pay costs nothing, nor does a new wallet. */
export const forgetTopUps = forgetting<RouterContext>('forget-top-ups', KEPT_MS, forgetFailed)
