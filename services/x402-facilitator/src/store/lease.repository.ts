import { sql } from 'kysely'
import { OPEN_STATES } from '../domain/payment-state.ts'
import { LEASE } from './payment.repository.ts'
import type { FacilitatorDb, Payment } from './tables.ts'

/**
 * Takes or renews the leases of open payments. Rows that another runner is just taking are passed over.
 * @returns the leased rows in the keys' order, undefined where the payment is not open or another runner works on it
 */
export async function leasePayments(
  db: FacilitatorDb,
  keys: readonly string[],
  owner: string,
): Promise<(Payment | undefined)[]> {
  const leased = await db
    .with('free', (free) =>
      free
        .selectFrom('payment')
        .select('key')
        .where('key', 'in', keys)
        .where('state', 'in', OPEN_STATES)
        .where((row) =>
          row.or([
            row('lease_until', 'is', null),
            row('lease_until', '<', sql<Date>`now()`),
            row('lease_owner', '=', owner),
          ]),
        )
        .orderBy('key')
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('payment')
    .set({ lease_owner: owner, lease_until: LEASE })
    .where('key', 'in', (free) => free.selectFrom('free').select('free.key'))
    .returningAll()
    .execute()
  const rows = new Map(leased.map((row) => [row.key, row]))
  return keys.map((key) => rows.get(key))
}

export const endLease = (db: FacilitatorDb, key: string, owner: string) =>
  db
    .updateTable('payment')
    .set({ lease_owner: null, lease_until: null })
    .where('key', '=', key)
    .where('lease_owner', '=', owner)
    .execute()

/** Keys of open payments on which no runner works, the longest untouched first. */
export async function orphanedPayments(db: FacilitatorDb, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('payment')
    .select('key')
    .where('state', 'in', OPEN_STATES)
    .where((row) => row.or([row('lease_until', 'is', null), row('lease_until', '<', sql<Date>`now()`)]))
    .orderBy('updated_at')
    .limit(limit)
    .execute()
  return rows.map(({ key }) => key)
}
