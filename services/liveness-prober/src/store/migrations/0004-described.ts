import { type Kysely, sql } from 'kysely'

/** What an endpoint said of itself last, by name: an event carries it when it is something else. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table target add column described_digest text`.execute(db)
}
