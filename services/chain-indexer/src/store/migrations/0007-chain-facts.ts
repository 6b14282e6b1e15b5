import { type Kysely, sql } from 'kysely'

/** Facts that are observed and reverted unchanged: one table for all kinds, whose members nothing here reads. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table chain_fact (
      network text not null,
      tx_hash text not null,
      log_index integer not null,
      block_number bigint not null,
      block_hash text not null,
      observed_at timestamptz not null,
      kind text not null,
      emitter text not null,
      said jsonb not null,
      primary key (network, tx_hash, log_index)
    )`.execute(db)
  await sql`create index chain_fact_by_block on chain_fact (network, block_number)`.execute(db)
}
