import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table stake_change (
      network text not null,
      tx_hash text not null,
      log_index integer not null,
      contract text not null,
      owner text not null,
      stake numeric(78, 0) not null check (stake >= 0),
      block_number bigint not null,
      mined_at timestamptz not null,
      reverted boolean not null,
      sequence bigint not null,
      primary key (network, tx_hash, log_index)
    )`.execute(db)
  await sql`
    create index stake_change_by_owner on stake_change (owner, network, contract, block_number, log_index)`.execute(db)
  await sql`
    create table compute_day (
      owner text not null,
      day date not null,
      stake numeric(78, 0) not null check (stake >= 0),
      limit_nano bigint not null check (limit_nano >= 0),
      rule text not null,
      primary key (owner, day)
    )`.execute(db)
}
