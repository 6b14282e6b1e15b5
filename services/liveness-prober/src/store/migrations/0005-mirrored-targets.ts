import { type Kysely, sql } from 'kysely'

/** Whether others than its provider listed an endpoint. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table target add column mirrored boolean not null default false`.execute(db)
}
