import { type Kysely, sql } from 'kysely'

/**
 * Versions in a row that ask the same are one row, which ends with `last_version`. An older process writes a row for
 * each version, which says the same.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table asked add column last_version bigint`.execute(db)
}
