import { type Kysely, sql } from 'kysely'

/**
 * User codes are stored as hashes. A grant of the previous release has its code in plain text and is found by it until
 * its twenty minutes are over, by replicas of either release; the row is removed a day later.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table device_grant
      alter column user_code drop not null,
      add column user_code_hash text`.execute(db)
  await sql`
    create unique index device_grant_by_code_hash on device_grant (user_code_hash) where state = 'pending'`.execute(db)
}
