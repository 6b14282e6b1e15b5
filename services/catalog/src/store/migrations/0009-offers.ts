import { type Kysely, sql } from 'kysely'

/** The offers of each version of a listing, and each endpoint's offer when it was last read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table asked add column offers jsonb`.execute(db)
  await sql`
    create table live_offer (
      slug text collate "C" not null,
      method text collate "C" not null,
      url text collate "C" not null,
      checked_at timestamptz not null,
      sequence bigint not null,
      state text not null,
      accepts jsonb not null,
      primary key (slug, method, url)
    )`.execute(db)
}
