import { type Kysely, sql } from 'kysely'

/** What an owner gave for probes to send. An older replica sends what it makes from schemas, as before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table target add column sample jsonb`.execute(db)
}
