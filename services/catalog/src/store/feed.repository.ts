import { sql } from 'kysely'
import type { FedSnapshot } from '../domain/feed-entries.ts'
import type { CatalogDb } from './tables.ts'

/**
 * The newest verified listings of providers: listed by them or by partners, or claimed; an unclaimed mirrored row is
 * never verified.
 */
export async function newestVerified(db: CatalogDb, limit: number): Promise<FedSnapshot[]> {
  const rows = await db
    .selectFrom('listing')
    .select('snapshot')
    .where('published', '=', true)
    .where('verification', '=', 'verified')
    .where(sql<string>`snapshot ->> 'group'`, '<>', 'svc')
    .orderBy(sql`snapshot ->> 'listedAt'`, 'desc')
    .orderBy('slug')
    .limit(limit)
    .execute()
  return rows.map(({ snapshot }) => snapshot)
}

/** The name of a published listing. */
export const publishedName = async (db: CatalogDb, slug: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom('listing')
      .select('name')
      .where('slug', '=', slug)
      .where('published', '=', true)
      .executeTakeFirst()
  )?.name
