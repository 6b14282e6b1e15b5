import { type Kysely, sql } from 'kysely'

/** Agents’ grants that nobody ended are looked up every minute, by when their owner consented. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index token_family_of_agents_by_consent on token_family (created_at)
    where revoked_at is null and client_id like 'agent\\_%'`.execute(db)
}
