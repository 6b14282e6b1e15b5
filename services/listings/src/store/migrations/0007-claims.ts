import { type Kysely, sql } from 'kysely'

/** The data that the owner of a claimed row set; null for a row without an owner. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mirrored add column held jsonb`.execute(db)
  await sql`
    create index mirrored_verified on mirrored (slug) where held ->> 'verification' = 'verified'`.execute(db)
}
