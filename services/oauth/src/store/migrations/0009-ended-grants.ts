import { type Kysely, sql } from 'kysely'

/** What ended long ago is swept, by the time of its end. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index token_family_by_revocation on token_family (revoked_at) where revoked_at is not null`.execute(db)
  await sql`create index token_family_of_programs_by_consent on token_family (created_at)
    where revoked_at is null and client_id not like 'agent\\_%'`.execute(db)
  await sql`create index device_grant_by_family on device_grant (family_id) where family_id is not null`.execute(db)
  await sql`
    create index authorization_code_by_family on authorization_code (family_id) where family_id is not null`.execute(db)
  await sql`create index api_key_by_revocation on api_key (revoked_at) where revoked_at is not null`.execute(db)
}
