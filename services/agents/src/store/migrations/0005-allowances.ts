import { type Kysely, sql } from 'kysely'

/** Links whose allowance at the Router may differ from the stored one. An older replica does not record this. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table link add column allowance_asked_at timestamptz`.execute(db)
  await sql`
    create index link_allowance_asked on link (allowance_asked_at)
    where state = 'live' and allowance_asked_at is not null`.execute(db)
}
