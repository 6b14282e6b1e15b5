import { type Kysely, sql } from 'kysely'

/** Registered clients (RFC 7591) and the codes that owners give them (RFC 6749 §4.1). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table client (
      id text primary key,
      secret_hash text,
      registration_token_hash text not null,
      metadata jsonb not null,
      created_at timestamptz not null,
      last_used_at timestamptz
    )`.execute(db)
  await sql`create index client_by_use on client ((coalesce(last_used_at, created_at)))`.execute(db)
  // A used code stays for a while: presenting it again shows that another client has it too.
  await sql`
    create table authorization_code (
      code_hash text primary key,
      client_id text not null references client on delete cascade,
      owner text not null references account,
      redirect_uri text not null,
      code_challenge text not null,
      scopes text[] not null,
      audience text not null,
      expires_at timestamptz not null,
      family_id text references token_family
    )`.execute(db)
  await sql`create index authorization_code_by_client on authorization_code (client_id)`.execute(db)
  await sql`create index authorization_code_by_end on authorization_code (expires_at)`.execute(db)
  await sql`create index token_family_by_client on token_family (client_id) where revoked_at is null`.execute(db)
  await sql`create index refresh_token_by_family on refresh_token (family_id)`.execute(db)
}
