import { type Kysely, sql } from 'kysely'

/**
 * What owners offer and seek that no endpoint sells. Replicas follow it through `listing_change`, like listings: no
 * slug begins like a posting's id. A replica of the previous release finds no listing of that name, and shows nothing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table posting (
      id text collate "C" primary key,
      version integer not null,
      posting jsonb not null,
      open boolean not null,
      updated_at timestamptz not null,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index posting_open on posting (expires_at) where open`.execute(db)
  await sql`create index posting_by_change on posting (updated_at)`.execute(db)
  await sql`
    create function note_changed_postings() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into listing_change as known select distinct id, pg_current_xact_id() from changed order by id
        on conflict (slug) do update set xid = excluded.xid where known.xid <> excluded.xid;
      if found then
        perform pg_notify('changes_' || tg_table_schema, '');
      end if;
      return null;
    end $$`.execute(db)
  for (const [event, rows] of [
    ['insert', 'new'],
    ['update', 'new'],
    ['delete', 'old'],
  ] as const) {
    await sql`
      create trigger ${sql.id(`note_${event}`)} after ${sql.raw(event)} on posting
        referencing ${sql.raw(rows)} table as changed
        for each statement execute function note_changed_postings()`.execute(db)
  }
  await sql`
    create trigger note_truncate after truncate on posting
      for each statement execute function note_emptied_listings()`.execute(db)
}
