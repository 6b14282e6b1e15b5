import { type Kysely, sql } from 'kysely'

/** Earlier reads were not stored: certificates begin here. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table block_read (
      network text not null,
      place bigint not null,
      from_block bigint not null,
      to_block bigint not null,
      endpoint text not null,
      how text not null check (how in ('block', 'range')),
      parent_hash text not null,
      hashes text[] not null,
      logs integer not null,
      read_at text not null,
      previous text not null,
      digest text not null,
      primary key (network, place)
    )`.execute(db)
  await sql`create index block_read_by_block on block_read (network, to_block)`.execute(db)
}
