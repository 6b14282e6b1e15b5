import { type Kysely, sql } from 'kysely'

/** Identifies what an endpoint last said about itself: an event includes the description only if this changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table target add column described_digest text`.execute(db)
}
