import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table stake_change (
      network text not null,
      tx_hash text not null,
      log_index integer not null,
      block_number bigint not null,
      block_hash text not null,
      observed_at timestamptz not null,
      contract text not null,
      owner text not null,
      stake numeric(78, 0) not null,
      primary key (network, tx_hash, log_index)
    )`.execute(db)
  await sql`create index stake_change_by_block on stake_change (network, block_number)`.execute(db)
  await sql`
    create table burn (
      network text not null,
      tx_hash text not null,
      log_index integer not null,
      block_number bigint not null,
      block_hash text not null,
      observed_at timestamptz not null,
      ledger text not null,
      burner text not null,
      token text not null,
      amount numeric(78, 0) not null,
      decimals integer not null,
      primary key (network, tx_hash, log_index)
    )`.execute(db)
  await sql`create index burn_by_block on burn (network, block_number)`.execute(db)
}
