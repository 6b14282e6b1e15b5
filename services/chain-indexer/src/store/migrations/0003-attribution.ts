import { type Kysely, sql } from 'kysely'

/** What was observed before had its transactions read, but not the codes in them: all of it is read again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table settlement
      add column builder_codes jsonb,
      add column attributed boolean not null default false`.execute(db)
  await sql`create index settlement_unattributed on settlement (network, block_number) where not attributed`.execute(db)
}
