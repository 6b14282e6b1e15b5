import { type Kysely, sql } from 'kysely'

/**
 * When a payment that is pending is asked for next, and whether money of it may have moved. An older replica asks for all that are
 * pending, as before; what it notes is due in half a minute.
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
