import { type Kysely, sql } from 'kysely'

/**
 * User codes are stored as their hash. A grant of the release before has its code as it is: it is found by that until its
 * twenty minutes are over, at replicas of either release, and the row goes a day later.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table device_grant
      alter column user_code drop not null,
      add column user_code_hash text`.execute(db)
  await sql`
    create unique index device_grant_by_code_hash on device_grant (user_code_hash) where state = 'pending'`.execute(db)
}
