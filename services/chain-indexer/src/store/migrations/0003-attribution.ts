import { type Kysely, sql } from 'kysely'

/**
 * Settlements observed earlier had their transactions read, but not the codes in them: all are read again.
 *
 * `attributed` may be null, which means the same as false: a replica of the previous release inserts whole rows and
 * sets every column that it does not know to null.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table settlement
      add column builder_codes jsonb,
      add column attributed boolean`.execute(db)
  await sql`create index settlement_unattributed on settlement (network, block_number) where attributed is not true`.execute(
    db,
  )
}
