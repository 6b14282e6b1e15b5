import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table onramp_day (day date primary key, sessions integer not null)`.execute(db)
}
