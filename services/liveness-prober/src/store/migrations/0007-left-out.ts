import { type Kysely, sql } from 'kysely'

/** The checks left out while an endpoint stayed down. An older replica counts none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table check_day add column left_out integer not null default 0`.execute(db)
}
