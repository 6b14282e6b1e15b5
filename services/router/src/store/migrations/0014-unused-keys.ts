import { type Kysely, sql } from 'kysely'

/** Ended keys without a call are forgotten after a time, and found by when they ended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index router_key_unused on router_key (ended_at) where ended_at is not null and last_used_at is null`.execute(
    db,
  )
}
