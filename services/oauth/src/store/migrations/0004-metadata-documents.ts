import { type Kysely, sql } from 'kysely'

/** Clients whose id is the URL of their metadata document: never registered, so without a registration token. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table client
      alter column registration_token_hash drop not null,
      add column fetched_at timestamptz,
      add column fresh_until timestamptz`.execute(db)
}
