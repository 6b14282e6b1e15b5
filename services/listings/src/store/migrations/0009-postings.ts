import { type Kysely, sql } from 'kysely'

/** What owners offer and seek that no endpoint sells. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table posting (
      id text collate "C" primary key,
      version integer not null check (version > 0),
      kind text not null,
      owner text not null,
      title text not null,
      description text not null,
      category text not null,
      amount_usd text not null,
      accepts jsonb not null,
      contact_url text not null,
      status text not null,
      ended_because text,
      has_verified_listing boolean not null,
      posted_from text,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index posting_by_owner on posting (owner, created_at, id)`.execute(db)
  await sql`create index posting_open on posting (expires_at) where status = 'open'`.execute(db)
  await sql`create index posting_by_change on posting (updated_at)`.execute(db)
}
