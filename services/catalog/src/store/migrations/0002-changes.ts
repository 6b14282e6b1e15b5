import { type Kysely, sql } from 'kysely'

/**
 * What of `listing` only served the search by SQL, or repeated what the checks say, and what stands there when it is
 * not written: a listing of which no check is known.
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
 * each listing or one of its checks. Triggers keep it, so that no writer can pass it by. Its rows stay when a listing
 * goes, and so does the table when the projection is emptied: that is a change like any other.
 *
 * This only expands. A replica of the release before goes on writing the columns that served its search, and searching
 * them by their indexes; the triggers let newer replicas follow what it writes. Of what these write it sees less: a new
 * listing stands where nothing is known of it and is found by no word, a changed one is found by the words it had. A
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
  // A check is written in place: no index holds what changes of it, and its page has room for the next version.
  await sql`alter table endpoint_check set (fillfactor = 75)`.execute(db)
}
