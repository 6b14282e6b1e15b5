import type { Caip2 } from '@callboard/values'
import { sql } from 'kysely'
import type { FacilitatorDb, Payment } from './tables.ts'

/** The least pause between two checks of a reverted payment, and the divisor of its age for later ones. */
const LEAST_PAUSE = sql`interval '2 seconds'`
const PART = 4
/** The longest pause, well within the blocks in which the use of an authorization is searched. */
const MOST_PAUSE = sql`interval '6 hours'`

/**
 * Takes reverted payments whose pause is over, and starts their next pause. No runner has them, so their leases hold
 * their pauses. A window may be open forever, so the pauses grow with the age of the revert, up to six hours.
 */
export const takeReverted = (db: FacilitatorDb, network: Caip2, limit: number): Promise<Payment[]> =>
  db
    .updateTable('payment')
    .set({
      lease_until: sql<Date>`now() + least(${MOST_PAUSE}, greatest(${LEAST_PAUSE}, (now() - updated_at) / ${PART}::integer))`,
    })
    .where('key', 'in', (row) =>
      row
        .selectFrom('payment')
        .select('key')
        .where('network', '=', network)
        .where('state', '=', 'reverted')
        .where(sql<Date>`coalesce(lease_until, '-infinity')`, '<=', sql<Date>`now()`)
        .orderBy(sql`coalesce(lease_until, '-infinity')`)
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute()
