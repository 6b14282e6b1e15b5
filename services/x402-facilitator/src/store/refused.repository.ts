import { sql } from 'kysely'
import type { FacilitatorDb } from './tables.ts'

/** Rows per statement: a payment that is presented again never waits for them for long. */
const AT_ONCE = 1_000

/**
 * Deletes payments refused before a moment, for which nothing was ever signed, seen on a chain or bought: if presented
 * again, such a payment is claimed and verified with or without its row.
 * @returns whether there may be more of them
 */
export async function deleteRefused(db: FacilitatorDb, before: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from payment where key in (
      select key from payment
       where state = 'refused' and updated_at < ${before} and tx_hash is null and announced_tx is null
         and not exists (select from leg where payment_key = payment.key)
         and not exists (select from grant_binding where payment_key = payment.key)
         and not exists (select from purchase_identifier where payment_key = payment.key)
       limit ${AT_ONCE} for update skip locked)
      and state = 'refused'`.execute(db)
  return Number(numAffectedRows ?? 0n) === AT_ONCE
}
