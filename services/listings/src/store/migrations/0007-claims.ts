import { type Kysely, sql } from 'kysely'

/** What the owner of a claimed row made of it; null for a row that has none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mirrored add column held jsonb`.execute(db)
  await sql`
    create index mirrored_verified on mirrored (slug) where held ->> 'verification' = 'verified'`.execute(db)
}
