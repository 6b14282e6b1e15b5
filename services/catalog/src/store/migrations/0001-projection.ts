import { type Kysely, sql } from 'kysely'

/** Text in keys and orders is compared byte by byte, so that an order does not depend on the server's locale. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table listing (
      slug text collate "C" primary key,
      version bigint not null,
      snapshot jsonb not null,
      schemas jsonb not null,
      name text not null,
      name_key text collate "C" not null,
      group_rank smallint not null,
      verification text not null,
      category text not null,
      networks text[] not null,
      endpoints integer not null,
      name_words tsvector not null,
      words tsvector not null,
      removed boolean not null,
      published boolean not null,
      distrust smallint not null,
      staleness integer not null,
      ok_at timestamptz,
      checked_at timestamptz,
      liveness jsonb not null,
      conformance jsonb not null,
      mpp integer[] not null
    )`.execute(db)
  // A page reads a few rows; parallel workers cost more than they read.
  await sql`alter table listing set (parallel_workers = 0)`.execute(db)
  await sql`
    create index listing_in_order on listing (group_rank, distrust, staleness, slug) where published`.execute(db)
  await sql`
    create index listing_verified on listing (group_rank, distrust, staleness, slug)
      where published and verification = 'verified'`.execute(db)
  await sql`create index listing_by_name on listing (name_key) where published`.execute(db)
  // Without a list of pending entries, which every search would have to read.
  for (const [name, column] of [
    ['listing_by_name_words', 'name_words'],
    ['listing_by_words', 'words'],
    ['listing_by_network', 'networks'],
  ] as const) {
    await sql`
      create index ${sql.id(name)} on listing using gin (${sql.id(column)}) with (fastupdate = off) where published
    `.execute(db)
  }
  await sql`create index listing_by_freshness on listing (ok_at) where published`.execute(db)
  await sql`
    create table listing_removal (slug text collate "C" primary key, version bigint not null)`.execute(db)
  await sql`
    create table endpoint_check (
      slug text collate "C" not null,
      method text not null,
      url text collate "C" not null,
      checked_at timestamptz not null,
      sequence bigint not null,
      state text not null,
      ok_at timestamptz,
      liveness jsonb not null,
      conformance jsonb,
      primary key (slug, method, url)
    )`.execute(db)
  await sql`
    create table payee_claim (
      network text collate "C" not null,
      address text collate "C" not null,
      slug text collate "C" not null,
      since timestamptz not null,
      primary key (network, address, slug)
    )`.execute(db)
  await sql`create index payee_claim_by_slug on payee_claim (slug)`.execute(db)
  await sql`
    create table asked_price (
      slug text collate "C" not null,
      network text collate "C" not null,
      amount_usd numeric not null,
      primary key (slug, network, amount_usd)
    )`.execute(db)
  await sql`
    create table settlement (
      network text collate "C" not null,
      tx_hash text collate "C" not null,
      log_index integer not null,
      block_number bigint not null,
      block_hash text collate "C" not null,
      observed_at timestamptz not null,
      payer text collate "C" not null,
      pay_to text collate "C" not null,
      asset text not null,
      amount_usd numeric not null,
      slug text collate "C",
      reverted boolean not null,
      sequence bigint not null,
      primary key (network, tx_hash, log_index)
    )`.execute(db)
  const place = sql`observed_at, network, block_number, log_index, tx_hash`
  const shown = sql`where slug is not null and not reverted`
  await sql`create index settlement_in_order on settlement (${place}) ${shown}`.execute(db)
  await sql`create index settlement_by_listing on settlement (slug, ${place}) ${shown}`.execute(db)
  await sql`create index settlement_by_payer on settlement (payer, ${place}) ${shown}`.execute(db)
  await sql`create index settlement_by_payee on settlement (pay_to, ${place})`.execute(db)
  await sql`
    create table settlement_revert (
      network text collate "C" not null,
      tx_hash text collate "C" not null,
      log_index integer not null,
      block_hash text collate "C" not null,
      sequence bigint not null,
      primary key (network, tx_hash, log_index, block_hash)
    )`.execute(db)
}
