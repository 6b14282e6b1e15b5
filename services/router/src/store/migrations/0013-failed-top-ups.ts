import { type Kysely, sql } from 'kysely'

/** Failed payments are forgotten after a time, and found by when they were presented. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index top_up_failed on top_up (created_at) where state = 'failed'`.execute(db)
}
