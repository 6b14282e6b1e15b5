import { type Kysely, sql } from 'kysely'

/** Whether an endpoint was listed by a third party, not its provider. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table target add column mirrored boolean not null default false`.execute(db)
}
