import { forgetting } from '@callboard/runtime'
import { DAY_MS } from '@callboard/values'
import type { RouterContext } from '../context.ts'
import { forgetUnused } from '../store/key.repository.ts'

/** As long as `oauth` keeps ended API keys. */
const KEPT_MS = 90 * DAY_MS

/** Forgets keys that ended long ago without a call: making and ending one costs nothing. */
export const forgetKeys = forgetting<RouterContext>('forget-keys', KEPT_MS, forgetUnused)
