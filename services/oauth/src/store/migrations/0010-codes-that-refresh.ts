import { type Kysely, sql } from 'kysely'

/** Whether an owner was told that a client refreshes its tokens. Codes of the previous release live for a minute. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table authorization_code add column refreshes boolean not null default true`.execute(db)
}
