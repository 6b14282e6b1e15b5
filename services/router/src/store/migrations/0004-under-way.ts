import { type Kysely, sql } from 'kysely'

/** The number of a key's calls under way is stored in the key's own row, which every hold locks, so it is exact. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table router_key add column under_way integer not null default 0 check (under_way >= 0)`.execute(db)
  await sql`
    update router_key set under_way = held.calls
    from (select key_id, count(*) as calls from call where state = 'held' group by key_id) as held
    where held.key_id = router_key.id`.execute(db)
  await sql`drop index call_under_way`.execute(db)
}
