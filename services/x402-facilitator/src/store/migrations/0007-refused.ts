import { type Kysely, sql } from 'kysely'

/** Refused payments are forgotten after a time, and found by when they were refused. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index payment_refused on payment (updated_at) where state = 'refused'`.execute(db)
}
