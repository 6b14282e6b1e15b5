import { type Kysely, sql } from 'kysely'

/**
 * Until when the schedule leaves an origin alone that nobody visits. An older replica writes such a pause as a lease, and does not
 * know of this one: it may call what is mirrored sooner.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table origin add column alone_until timestamptz`.execute(db)
}
