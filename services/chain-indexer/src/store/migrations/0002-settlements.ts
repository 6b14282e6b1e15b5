import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table chain_cursor (
      network text primary key,
      first_block bigint not null,
      block_number bigint not null,
      block_hash text not null,
      updated_at timestamptz not null
    )`.execute(db)
  await sql`
    create table block (
      network text not null,
      number bigint not null,
      hash text not null,
      parent_hash text not null,
      mined_at timestamptz not null,
      primary key (network, number)
    )`.execute(db)
  await sql`
    create table settlement (
      network text not null,
      tx_hash text not null,
      log_index integer not null,
      block_number bigint not null,
      block_hash text not null,
      observed_at timestamptz not null,
      payer text not null,
      pay_to text not null,
      asset text not null,
      amount numeric(78, 0) not null,
      nonce text not null,
      facilitator text,
      primary key (network, tx_hash, log_index)
    )`.execute(db)
  await sql`create index settlement_by_block on settlement (network, block_number)`.execute(db)
}
