import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table burn (
      network text collate "C" not null,
      tx_hash text collate "C" not null,
      log_index integer not null,
      block_number bigint not null,
      observed_at timestamptz not null,
      burner text collate "C" not null,
      token text collate "C" not null,
      amount numeric not null,
      reverted boolean not null,
      sequence bigint not null,
      primary key (network, tx_hash, log_index)
    )`.execute(db)
  await sql`
    create index burn_newest on burn (observed_at, network, block_number, log_index, tx_hash)
    where not reverted`.execute(db)
}
