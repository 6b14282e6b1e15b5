import type { ListingSnapshot } from '@callboard/contract'
import { sql } from 'kysely'
import { isPriced, isPublished } from '../domain/check-summary.ts'
import { splitSchemas } from '../domain/listed.ts'
import { groupRank } from '../domain/ranking.ts'
import type { CatalogTx } from './tables.ts'

/** The newest snapshot of a listing. */
export const findSnapshot = (tx: CatalogTx, slug: string) =>
  tx.selectFrom('listing').select(['version', 'snapshot', 'removed']).where('slug', '=', slug).executeTakeFirst()

/** Writes a snapshot that is newer than the stored one. */
export async function saveListing(tx: CatalogTx, snapshot: ListingSnapshot, removed: boolean): Promise<void> {
  const { listed, schemas } = splitSchemas(snapshot)
  const row = {
    version: snapshot.version,
    snapshot: JSON.stringify(listed),
    schemas: JSON.stringify(schemas),
    name: snapshot.name,
    group_rank: groupRank(snapshot.group),
    verification: snapshot.verification,
    endpoints: snapshot.operations.filter(isPriced).length,
    removed,
    published: isPublished(snapshot, removed),
  }
  await tx
    .insertInto('listing')
    .values({ slug: snapshot.slug, ...row })
    .onConflict((conflict) => conflict.column('slug').doUpdateSet(row))
    .execute()
}

/** Hides a known listing whose stored snapshot was removed. */
export const hideListing = (tx: CatalogTx, slug: string) =>
  tx.updateTable('listing').set({ removed: true, published: false }).where('slug', '=', slug).execute()

/** Records the version and time of a listing's removal; of several removals the highest version counts. */
export const keepRemoval = (tx: CatalogTx, slug: string, version: number, removedAt: Date) =>
  tx
    .insertInto('listing_removal')
    .values({ slug, version, removed_at: removedAt })
    .onConflict((conflict) =>
      conflict
        .column('slug')
        .doUpdateSet({ version, removed_at: removedAt })
        .where(sql<boolean>`listing_removal.version < excluded.version`),
    )
    .execute()

/** Whether the listing was removed at this version or a later one. */
export const isRemoved = async (tx: CatalogTx, slug: string, version: number): Promise<boolean> =>
  (await tx
    .selectFrom('listing_removal')
    .select('slug')
    .where('slug', '=', slug)
    .where('version', '>=', version)
    .executeTakeFirst()) !== undefined
