import { siteOf } from '@callboard/values/site'
import { type Kysely, sql } from 'kysely'

/** The site of each origin. One that an older replica adds has none, and none is limited for it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table origin add column site text`.execute(db)
  const { rows } = await sql<{ origin: string }>`select origin from origin`.execute(db)
  const origins = rows.map(({ origin }) => origin)
  await sql`
    update origin set site = known.site
    from unnest(${origins}::text[], ${origins.map(siteOf)}::text[]) as known (origin, site)
    where origin.origin = known.origin`.execute(db)
}
