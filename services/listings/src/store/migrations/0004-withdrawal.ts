import { sitesOf } from '@callboard/values/site'
import { type Kysely, sql } from 'kysely'

/** When a listing was withdrawn, and the sites that its endpoints are on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table listing add column withdrawn_at timestamptz, add column sites text[]`.execute(db)
  await sql`
    create index listing_by_site on listing using gin (sites) where withdrawn_at is null`.execute(db)
  const { rows } = await sql<{ slug: string; operations: { url: string }[] }>`
    select slug, operations from listing`.execute(db)
  for (const { slug, operations } of rows) {
    await sql`update listing set sites = ${sitesOf(operations)} where slug = ${slug}`.execute(db)
  }
}
