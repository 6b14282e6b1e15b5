import { type Kysely, sql } from 'kysely'

/** Payments that were refused are forgotten in time, and found by when they were. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index payment_refused on payment (updated_at) where state = 'refused'`.execute(db)
}
