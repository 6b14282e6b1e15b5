import { type Kysely, sql } from 'kysely'

/**
 * Probes are counted by the site of a URL, since hosts below a domain cost nothing. Rows of the previous release, and those
 * of its replicas during an upgrade, have none: they count by their origin.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table discovered_resource add column site text`.execute(db)
  await sql`alter table probe_asked add column site text`.execute(db)
  await sql`
    create index discovered_resource_unprobed_by_site on discovered_resource (coalesce(site, origin))
      where probed_at is null`.execute(db)
}
