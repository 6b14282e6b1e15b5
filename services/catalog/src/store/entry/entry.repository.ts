import { checkSummaryOf, type EndpointCheck } from '../../domain/check-summary.ts'
import type { Listed, ListedSnapshot, OperationSchemas } from '../../domain/listed.ts'
import { checksOf } from '../check.repository.ts'
import type { CatalogDb } from '../tables.ts'

/** One published listing with its schemas, and the newest check of each of its endpoints. */
export async function findPublished(
  db: CatalogDb,
  slug: string,
): Promise<{ listed: Listed<ListedSnapshot>; schemas: OperationSchemas[]; checks: EndpointCheck[] } | undefined> {
  const row = await db
    .selectFrom('listing')
    .select(['snapshot', 'schemas'])
    .where('slug', '=', slug)
    .where('published', '=', true)
    .executeTakeFirst()
  if (!row) return undefined
  const { snapshot, schemas } = row
  const checks = await checksOf(db, slug, snapshot.operations)
  return { listed: { snapshot, ...checkSummaryOf(snapshot, checks) }, schemas, checks }
}

/** The version of the newest snapshot received of a listing, published or not. */
export const findVersion = async (db: CatalogDb, slug: string): Promise<number | undefined> =>
  (await db.selectFrom('listing').select('version').where('slug', '=', slug).executeTakeFirst())?.version
