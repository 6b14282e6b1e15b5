import { type Kysely, sql } from 'kysely'

/** Listed resources are counted by site. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index discovered_resource_listed_by_site on discovered_resource (coalesce(site, origin))
      where is_listed`.execute(db)
}
