import { type Kysely, sql } from 'kysely'

/**
 * Probes that the facilitator asked for. An older replica does not know them: it may give an origin back without them,
 * and they then wait until the facilitator asks again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table resource_probe (
      url text primary key,
      origin text not null,
      probe_id text not null,
      next_due_at timestamptz not null
    )`.execute(db)
  await sql`create index resource_probe_by_origin on resource_probe (origin, next_due_at)`.execute(db)
}
