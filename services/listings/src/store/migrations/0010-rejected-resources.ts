import { resourceOf } from '@callboard/contract'
import { type Kysely, sql } from 'kysely'

/** What a listing sold when the operator rejected or suspended it, since its owner may replace its operations. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table listing add column rejected_resources text[]`.execute(db)
  const { rows } = await sql<{ slug: string; operations: { url: string }[] }>`
    select slug, operations from listing where rejected_at is not null`.execute(db)
  for (const { slug, operations } of rows) {
    const resources = [...new Set(operations.map(({ url }) => resourceOf(url)))]
    await sql`update listing set rejected_resources = ${resources} where slug = ${slug}`.execute(db)
  }
  await sql`
    create index listing_by_rejected_resource on listing using gin (rejected_resources)
      where rejected_at is not null`.execute(db)
}
