import { type Kysely, sql } from 'kysely'

/** Third parties' resources that sources name, each once, and which source names which. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mirrored (
      slug text primary key,
      version bigint not null check (version > 0),
      method text not null,
      url text not null,
      resource text not null,
      origin text not null,
      site text not null,
      state text not null,
      state_since timestamptz not null,
      reason text,
      claim jsonb not null,
      claim_source text,
      fact jsonb,
      terms jsonb,
      ok_at timestamptz,
      owner text,
      owned_since timestamptz check ((owner is null) = (owned_since is null)),
      created_at timestamptz not null,
      updated_at timestamptz not null,
      unnamed_since timestamptz,
      unique (resource, method)
    )`.execute(db)
  await sql`create index mirrored_by_site on mirrored (site)`.execute(db)
  await sql`create index mirrored_by_origin on mirrored (origin)`.execute(db)
  await sql`create index mirrored_by_owner on mirrored (owner, created_at) where owner is not null`.execute(db)
  await sql`create index mirrored_by_state on mirrored (state, state_since)`.execute(db)
  await sql`create index mirrored_by_reading on mirrored (ok_at) where state = 'payable'`.execute(db)
  await sql`create index mirrored_by_naming on mirrored (unnamed_since) where unnamed_since is not null`.execute(db)
  await sql`
    create table source (
      name text primary key,
      kind text not null,
      url text not null,
      filters jsonb not null,
      configured_by text not null,
      interval_ms bigint not null check (interval_ms > 0),
      due_at timestamptz not null,
      lease text,
      leased_until timestamptz check ((lease is null) = (leased_until is null)),
      run jsonb,
      not_taken jsonb not null default '{}',
      failures integer not null default 0,
      problem text,
      last_good_at timestamptz,
      created_at timestamptz not null
    )`.execute(db)
  await sql`create index source_by_due on source (due_at)`.execute(db)
  await sql`
    create table sighting (
      source text not null references source on delete cascade,
      slug text not null references mirrored on delete cascade,
      first_seen_at timestamptz not null,
      last_seen_at timestamptz not null,
      primary key (slug, source)
    )`.execute(db)
  await sql`create index sighting_by_source on sighting (source, last_seen_at)`.execute(db)
}
