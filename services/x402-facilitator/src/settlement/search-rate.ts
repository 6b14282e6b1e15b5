import type { Rate } from '@callboard/store'
import type { FacilitatorContext } from '../context.ts'
import type { Payment } from '../store/tables.ts'
import { GasBudgetSpent } from './gas/gas-budget-spent.ts'

/**
 * The rate at which one network may present authorizations that others submitted: each has the logs of thousands of
 * blocks read, and a chain shows millions of them to all.
 */
export const SEARCHES: Rate = { burst: 300, perMinute: 60 }

/**
 * Counts a search for the use of an authorization that no transaction of ours carried.
 * @throws GasBudgetSpent where its requester's network has had too many
 */
export async function countSearch({ counters, log }: FacilitatorContext, { key, origin }: Payment): Promise<void> {
  if (origin === null) return
  const counted = await counters.take(`use-searches:${origin}`, SEARCHES).catch((error: unknown) => {
    log.warn({ err: error, key }, 'a search is not counted, because the counters are unavailable')
  })
  if (counted?.allowed === false)
    throw new GasBudgetSpent({ spent: 'requester', retryAfterSeconds: counted.retryAfterSeconds })
}
