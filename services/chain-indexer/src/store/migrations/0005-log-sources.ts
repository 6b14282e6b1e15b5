import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table log_source (
      network text not null,
      emitter text not null,
      next_block bigint not null,
      until_block bigint not null,
      primary key (network, emitter)
    )`.execute(db)
}
