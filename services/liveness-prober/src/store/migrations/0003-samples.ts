import { type Kysely, sql } from 'kysely'

/** The input that an owner provided for probes. An older replica sends input made from schemas, as before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table target add column sample jsonb`.execute(db)
}
