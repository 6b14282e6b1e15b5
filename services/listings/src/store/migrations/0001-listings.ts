import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table listing (
      slug text primary key,
      version bigint not null check (version > 0),
      owner text not null,
      name text not null,
      description text not null,
      category text not null,
      status text not null,
      verification text not null check (status = 'live' or verification = 'none'),
      listing_group text not null,
      provenance text not null,
      fee_bps integer not null,
      fee_label text not null,
      network text not null,
      payout_wallet text not null,
      splitter_address text not null,
      splitter_factory text not null,
      splitter_deployed boolean not null,
      operations jsonb not null,
      conformances jsonb not null,
      liveness jsonb not null,
      liveness_at timestamptz,
      created_at timestamptz not null,
      listed_at timestamptz check (status <> 'live' or listed_at is not null),
      updated_at timestamptz not null
    )`.execute(db)
  await sql`create index listing_by_owner on listing (owner, created_at)`.execute(db)
  await sql`create index listing_by_splitter on listing (network, splitter_address)`.execute(db)
  await sql`
    create table settlement (
      network text not null,
      tx_hash text not null,
      log_index integer not null,
      block_hash text not null,
      slug text not null references listing,
      amount numeric(78, 0) not null,
      observed_at timestamptz not null,
      primary key (network, tx_hash, log_index)
    )`.execute(db)
  await sql`create index settlement_by_listing on settlement (slug, observed_at)`.execute(db)
}
