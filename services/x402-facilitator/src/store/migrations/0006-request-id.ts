import { type Kysely, sql } from 'kysely'

/**
 * The request that claimed a payment, so that later settlement steps can name it; and an index from a transaction to
 * its payments.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payment add column request_id text`.execute(db)
  await sql`create index payment_by_settled_transaction on payment (settled_tx) where settled_tx is not null`.execute(
    db,
  )
}
