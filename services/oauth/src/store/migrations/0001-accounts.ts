import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table account (
      owner text primary key,
      epoch bigint not null default 0,
      created_at timestamptz not null
    )`.execute(db)
  await sql`
    create table session (
      token_hash text primary key,
      id text not null unique,
      owner text not null references account,
      created_at timestamptz not null,
      last_seen_at timestamptz not null
    )`.execute(db)
  await sql`create index session_by_owner on session (owner)`.execute(db)
  await sql`
    create table api_key (
      id text primary key,
      owner text not null references account,
      label text not null,
      prefix text not null,
      key_hash text not null unique,
      created_at timestamptz not null,
      last_used_at timestamptz,
      revoked_at timestamptz
    )`.execute(db)
  await sql`create index api_key_by_owner on api_key (owner, created_at) where revoked_at is null`.execute(db)
}
