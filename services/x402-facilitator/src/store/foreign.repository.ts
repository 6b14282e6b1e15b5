import { sql } from 'kysely'
import type { FacilitatorDb } from './tables.ts'

/** Rows per statement: a payment that is presented again never waits for them for long. */
const AT_ONCE = 1_000

/**
 * Deletes payments that a third party had submitted, final before a moment, for which we signed nothing and sold
 * nothing: presented again, such a payment is refused for its used nonce, however old. One that was found again after a
 * restore, which no request claimed, may be our own, and is kept.
 * @returns whether there may be more of them
 */
export async function deleteForeign(db: FacilitatorDb, before: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from payment where key in (
      select key from payment
       where state = 'final' and is_foreign and updated_at < ${before} and request_id is not null
         and not exists (select from leg where payment_key = payment.key)
         and not exists (select from grant_binding where payment_key = payment.key)
       limit ${AT_ONCE} for update of payment skip locked)`.execute(db)
  return Number(numAffectedRows ?? 0n) === AT_ONCE
}

/**
 * Deletes what is kept of payers without credit whose money last moved before a moment: nothing of it counts any more.
 * @returns whether there may be more of them
 */
export async function deleteWithoutCredit(db: FacilitatorDb, before: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from payer_credit where (network, payer) in (
      select network, payer from payer_credit where credit = 0 and coalesce(debited_at, '-infinity') < ${before}
       limit ${AT_ONCE} for update skip locked)`.execute(db)
  return Number(numAffectedRows ?? 0n) === AT_ONCE
}
