import { type Kysely, sql } from 'kysely'

/**
 * Records where the answers of an owner's grants to programs went; families of the previous release do not have this.
 * How long a family lasts is read from its tokens.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table token_family add column redirect_uri text`.execute(db)
  await sql`create index token_family_by_client_of_owner on token_family (owner, client_id)`.execute(db)
  await sql`create index authorization_code_by_owner on authorization_code (owner)`.execute(db)
  await sql`create index access_token_by_family on access_token (family_id)`.execute(db)
}
