import { type Kysely, sql } from 'kysely'

/** Links of which the Router may have another allowance than is written here. An older replica does not say it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table link add column allowance_asked_at timestamptz`.execute(db)
  await sql`
    create index link_allowance_asked on link (allowance_asked_at)
    where state = 'live' and allowance_asked_at is not null`.execute(db)
}
