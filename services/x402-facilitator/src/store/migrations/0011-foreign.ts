import { type Kysely, sql } from 'kysely'

/** Payments that third parties had submitted are forgotten after a time, and so are payers without credit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index payment_foreign on payment (updated_at) where state = 'final' and is_foreign`.execute(db)
  await sql`
    create index payer_credit_none on payer_credit (coalesce(debited_at, '-infinity')) where credit = 0`.execute(db)
}
