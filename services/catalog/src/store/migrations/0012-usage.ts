import { type Kysely, sql } from 'kysely'

/**
 * Each listing's recent revenue, as the directory shows and ranks it. The job derives it from the days of
 * `listing_day`; `usage_doubt` names the listings to renew, and `usage_since` the first day that counts. A row changes
 * only if what is shown does, so that replicas read a listing again only then.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table listing_usage (
      slug text collate "C" primary key, calls bigint not null, volume_rank smallint not null
    )`.execute(db)
  await sql`create table usage_doubt (slug text collate "C" primary key)`.execute(db)
  await sql`create table usage_since (id boolean primary key default true check (id), day timestamptz not null)`.execute(
    db,
  )
  await sql`insert into usage_doubt select distinct slug from listing_day`.execute(db)
  await sql`create index listing_day_by_day on listing_day (day, slug)`.execute(db)
  await doubtWhatIsAddedUp(db)
  await forgetWithSettlements(db)
  for (const [event, rows] of [
    ['insert', 'new'],
    ['update', 'new'],
    ['delete', 'old'],
  ] as const) {
    await sql`
      create trigger ${sql.id(`note_${event}`)} after ${sql.raw(event)} on listing_usage
        referencing ${sql.raw(rows)} table as changed
        for each statement execute function note_changed_listings()`.execute(db)
  }
}

async function doubtWhatIsAddedUp(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function doubt_usage() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into usage_doubt select distinct slug from changed order by slug on conflict do nothing;
      return null;
    end $$`.execute(db)
  for (const event of ['insert', 'update'])
    await sql`
      create trigger ${sql.id(`doubt_${event}`)} after ${sql.raw(event)} on listing_day
        referencing new table as changed for each statement execute function doubt_usage()`.execute(db)
}

async function forgetWithSettlements(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function forget_usage() returns trigger language plpgsql set search_path from current as $$
    begin
      delete from usage_doubt;
      delete from listing_usage;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger forget_usage after truncate on settlement for each statement execute function forget_usage()`.execute(
    db,
  )
}
