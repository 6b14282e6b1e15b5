import { type Kysely, sql } from 'kysely'

/** Times are RFC 3339 text of one form, which sorts as the times do. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index listing_newest_verified on listing ((snapshot ->> 'listedAt') desc, slug)
      where published and verification = 'verified'`.execute(db)
}
