import { type Kysely, sql } from 'kysely'

/**
 * Until when the schedule leaves an unvisited origin alone. An older replica writes such a pause as a lease, and does
 * not know this column: it may call mirrored resources sooner.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table origin add column alone_until timestamptz`.execute(db)
}
