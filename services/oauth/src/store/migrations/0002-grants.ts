import { type Kysely, sql } from 'kysely'

/**
 * Device grants (RFC 8628) and token families: the grant of one owner to one client, with every token ever made for it.
 * An agent's family has the id of its link. A session records where it was opened from; those of the previous release
 * do not.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table token_family (
      id text primary key,
      client_id text not null,
      owner text not null references account,
      scopes text[] not null,
      audience text not null,
      created_at timestamptz not null,
      last_used_at timestamptz,
      revoked_at timestamptz,
      revoked_because text
    )`.execute(db)
  await sql`create index token_family_by_owner on token_family (owner, client_id) where revoked_at is null`.execute(db)
  await sql`
    create table access_token (
      token_hash text primary key,
      family_id text not null references token_family on delete cascade,
      scopes text[] not null,
      audience text not null,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index access_token_by_end on access_token (expires_at)`.execute(db)
  // A used token stays until it expires: presenting it again shows that it was stolen, or that an answer was lost.
  await sql`
    create table refresh_token (
      token_hash text primary key,
      family_id text not null references token_family on delete cascade,
      issued_at timestamptz not null,
      expires_at timestamptz not null,
      used_at timestamptz,
      answer text
    )`.execute(db)
  await sql`create index refresh_token_by_end on refresh_token (expires_at)`.execute(db)
  await sql`
    create table device_grant (
      id text primary key,
      device_code_hash text not null unique,
      user_code text not null,
      client_id text not null,
      scopes text[] not null,
      sealing_key text not null,
      state text not null default 'pending' check (state in ('pending', 'approved', 'denied', 'redeemed')),
      created_at timestamptz not null,
      expires_at timestamptz not null,
      interval_seconds integer not null,
      polled_at timestamptz,
      family_id text references token_family,
      sealed text,
      router_unavailable boolean not null default false
    )`.execute(db)
  await sql`create unique index device_grant_by_code on device_grant (user_code) where state = 'pending'`.execute(db)
  await sql`create index device_grant_by_end on device_grant (expires_at)`.execute(db)
  await sql`alter table session add column address text, add column user_agent text`.execute(db)
}
