import { type Kysely, sql } from 'kysely'

/**
 * What was observed before had its transactions read, but not the codes in them: all of it is read again.
 *
 * `attributed` may be null, which says no more than false: a replica of the release before inserts whole rows and gives
 * null to every column that it does not know.
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
