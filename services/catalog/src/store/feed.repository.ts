import { sql } from 'kysely'
import type { AskedVersion, FedSnapshot } from '../domain/feed-entries.ts'
import type { CatalogDb } from './tables.ts'

/**
 * The newest verified listings of providers: what they listed, what partners did, and what was claimed; a mirrored row that
 * nobody claimed is never verified.
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

/** What a published listing asked from each of its newest versions on; undefined for one that is not published. */
export async function versionsOf(
  db: CatalogDb,
  slug: string,
  limit: number,
): Promise<{ name: string; versions: AskedVersion[] } | undefined> {
  const listed = await db
    .selectFrom('listing')
    .select('name')
    .where('slug', '=', slug)
    .where('published', '=', true)
    .executeTakeFirst()
  if (!listed) return undefined
  const rows = await db
    .selectFrom('asked')
    .select(['version', 'since', 'prices', 'resources'])
    .where('slug', '=', slug)
    .orderBy('version', 'desc')
    .limit(limit)
    .execute()
  const versions = rows.map(({ version, since, prices, resources }) => ({
    ...{ version: Number(version), since: since.getTime(), prices, resources },
  }))
  return { name: listed.name, versions }
}
