import { type Kysely, sql } from 'kysely'

/**
 * Purchases that were given up are forgotten after a time, and found among those without a result; the identifiers of a
 * payment are counted and deleted by it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index grant_binding_without_result on grant_binding (created_at) where result is null`.execute(db)
  await sql`create index purchase_identifier_by_payment on purchase_identifier (payment_key)`.execute(db)
}
