import { type Kysely, sql } from 'kysely'

/**
 * The index of 0004 has the condition of the reads of a pair. Once Postgres has vacuumed the table, it takes that index
 * for them and reads all that any listing shares, because it expects few rows of one that shares little. The new one
 * has a condition of its own, which only the reads that need it state.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index settlement_by_sharer on settlement using gin (shared_with) where cardinality(shared_with) > 0`.execute(
    db,
  )
  await sql`drop index settlement_by_sharing`.execute(db)
}
