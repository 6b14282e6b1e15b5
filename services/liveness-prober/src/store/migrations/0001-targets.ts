import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table listing (
      slug text primary key,
      version bigint not null
    )`.execute(db)
  await sql`
    create table origin (
      origin text primary key,
      next_due_at timestamptz not null,
      lease text,
      leased_until timestamptz,
      check ((lease is null) = (leased_until is null))
    )`.execute(db)
  await sql`create index origin_by_due on origin (next_due_at)`.execute(db)
  await sql`
    create table target (
      slug text not null references listing,
      method text not null,
      url text not null,
      origin text not null,
      input_schema jsonb,
      next_due_at timestamptz not null,
      last_checked_at timestamptz,
      state text,
      consecutive_down integer not null default 0,
      primary key (slug, method, url)
    )`.execute(db)
  await sql`create index target_by_origin on target (origin, next_due_at)`.execute(db)
  await sql`
    create table check_day (
      slug text not null,
      method text not null,
      url text not null,
      day integer not null,
      checks integer not null,
      ok integer not null,
      neutral integer not null,
      buckets integer[] not null,
      primary key (slug, day, method, url)
    )`.execute(db)
  await sql`create index check_day_by_age on check_day (day)`.execute(db)
}
