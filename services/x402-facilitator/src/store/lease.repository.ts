import { sql } from 'kysely'
import { OPEN_STATES } from '../domain/payment-state.ts'
import { LEASE } from './payment.repository.ts'
import type { FacilitatorDb, Payment } from './tables.ts'

/** Takes or renews the lease of an open payment. @returns undefined when it is not open or somebody else works on it */
export const leasePayment = (db: FacilitatorDb, key: string, owner: string): Promise<Payment | undefined> =>
  db
    .updateTable('payment')
    .set({ lease_owner: owner, lease_until: LEASE })
    .where('key', '=', key)
    .where('state', 'in', OPEN_STATES)
    .where((row) =>
      row.or([
        row('lease_until', 'is', null),
        row('lease_until', '<', sql<Date>`now()`),
        row('lease_owner', '=', owner),
      ]),
    )
    .returningAll()
    .executeTakeFirst()

export const endLease = (db: FacilitatorDb, key: string, owner: string) =>
  db
    .updateTable('payment')
    .set({ lease_owner: null, lease_until: null })
    .where('key', '=', key)
    .where('lease_owner', '=', owner)
    .execute()

/** Keys of open payments on which nobody works, the longest untouched first. */
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
