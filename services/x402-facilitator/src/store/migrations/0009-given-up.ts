import { type Kysely, sql } from 'kysely'

/** Purchases that were given up are forgotten after a time, and found among those without a result. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index grant_binding_without_result on grant_binding (created_at) where result is null`.execute(db)
}
