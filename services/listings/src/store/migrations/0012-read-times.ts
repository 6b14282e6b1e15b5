import { type Kysely, sql } from 'kysely'

/**
 * When the offer of each operation was read last, where that is all that a check found. Postgres writes a whole value
 * anew, and the operations may have 256 KiB of schemas. An older process writes the times into the operations.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table listing add column read_times jsonb`.execute(db)
}
