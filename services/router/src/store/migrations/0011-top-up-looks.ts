import { type Kysely, sql } from 'kysely'

/**
 * When a pending payment is next checked, and whether its money may have moved. An older replica checks all that are
 * pending, as before; what it records is due in half a minute.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table top_up
      add column due_at timestamptz not null default now() + interval '30 seconds',
      add column awaited boolean not null default false`.execute(db)
  await sql`create index top_up_due on top_up (due_at) where state = 'pending'`.execute(db)
  await sql`create index top_up_awaited on top_up (created_at) where state = 'pending' and awaited`.execute(db)
  await sql`drop index top_up_pending`.execute(db)
}
