import { type Kysely, sql } from 'kysely'

/**
 * User codes of decided and expired grants are looked up too, and of these there are as many as agents asked for within
 * a day. Codes in plain text are those of an earlier release.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index device_grant_by_any_code_hash on device_grant (user_code_hash)`.execute(db)
  await sql`create index device_grant_by_plain_code on device_grant (user_code) where user_code is not null`.execute(db)
}
