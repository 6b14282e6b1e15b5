import { type Kysely, sql } from 'kysely'

/**
 * The columns of `listing` that only served the search by SQL, or repeated the results of checks, and their values if
 * they are not written: those of a listing without a known check.
 */
const UNUSED: Readonly<Record<string, string>> = {
  name_key: `''`,
  category: `''`,
  networks: `'{}'`,
  name_words: `''`,
  words: `''`,
  distrust: '1000',
  staleness: '0',
  liveness: `'{"uptime7d":0,"latencyP50Ms":0,"latencyP95Ms":0,"checks7d":0}'`,
  conformance: `'{"declaredVersion":null,"versionConformant":false,"offerTransport":"none","issues":[]}'`,
  mpp: `'{}'`,
}

/**
 * The search moves into the memory of the replicas, which follow `listing_change`: the newest transaction that wrote
 * each listing or one of its checks. Triggers maintain it, so that no writer can bypass it. Its rows stay when a
 * listing is deleted, and so does the table when the projection is emptied: that is a change like any other.
 *
 * This only expands. A replica of the previous release continues to write the columns that served its search, and to
 * search them by their indexes; the triggers let newer replicas follow what it writes. It sees less of what these
 * write: a new listing ranks as one without checks and is found by no word, a changed one is found by its old words. A
 * later release drops the columns of `UNUSED`, `ok_at` and `checked_at`, with the indexes over them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table listing_change (
      slug text collate "C" primary key,
      xid xid8 not null
    )`.execute(db)
  await sql`create index listing_change_by_xid on listing_change (xid)`.execute(db)
  await sql`insert into listing_change select slug, pg_current_xact_id() from listing`.execute(db)
  await sql`
    create function note_changed_listings() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into listing_change as known select distinct slug, pg_current_xact_id() from changed order by slug
        on conflict (slug) do update set xid = excluded.xid where known.xid <> excluded.xid;
      if found then
        perform pg_notify('changes_' || tg_table_schema, '');
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create function note_emptied_listings() returns trigger language plpgsql set search_path from current as $$
    begin
      update listing_change set xid = pg_current_xact_id() where xid <> pg_current_xact_id();
      perform pg_notify('changes_' || tg_table_schema, '');
      return null;
    end $$`.execute(db)
  for (const table of ['listing', 'endpoint_check']) {
    for (const [event, rows] of [
      ['insert', 'new'],
      ['update', 'new'],
      ['delete', 'old'],
    ] as const) {
      await sql`
        create trigger ${sql.id(`note_${event}`)} after ${sql.raw(event)} on ${sql.id(table)}
          referencing ${sql.raw(rows)} table as changed
          for each statement execute function note_changed_listings()`.execute(db)
    }
    await sql`
      create trigger note_truncate after truncate on ${sql.id(table)}
        for each statement execute function note_emptied_listings()`.execute(db)
  }
  await sql`
    alter table listing ${sql.join(
      Object.entries(UNUSED).map(
        ([column, value]) => sql`alter column ${sql.id(column)} set default ${sql.raw(value)}`,
      ),
      sql`, `,
    )}`.execute(db)
  // A check is updated in place: no index contains the changing columns, and its page has space for the next version.
  await sql`alter table endpoint_check set (fillfactor = 75)`.execute(db)
}
