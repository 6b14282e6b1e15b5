import type { ListingSnapshot } from '@callboard/contract'
import { sql } from 'kysely'
import { splitSchemas } from '../domain/listed.ts'
import { groupRank } from '../domain/ranking.ts'
import { nameKey, searchText } from '../domain/search-text.ts'
import { isPriced, type Standing } from '../domain/standing.ts'
import type { CatalogTx } from './tables.ts'

/** The newest snapshot of a listing. */
export const findSnapshot = (tx: CatalogTx, slug: string) =>
  tx.selectFrom('listing').select(['version', 'snapshot', 'removed']).where('slug', '=', slug).executeTakeFirst()

/** Writes a snapshot that is newer than the one that is kept, with its standing. */
export async function saveListing(tx: CatalogTx, snapshot: ListingSnapshot, removed: boolean, standing: Standing) {
  const { listed, schemas } = splitSchemas(snapshot)
  const priced = snapshot.operations.filter(isPriced)
  const row = {
    version: snapshot.version,
    snapshot: JSON.stringify(listed),
    schemas: JSON.stringify(schemas),
    name: snapshot.name,
    name_key: nameKey(snapshot.name),
    group_rank: groupRank(snapshot.group),
    verification: snapshot.verification,
    category: snapshot.category,
    networks: [...new Set(priced.map(({ payment }) => payment.network))].sort(),
    endpoints: priced.length,
    name_words: sql<string>`to_tsvector('simple', ${snapshot.name})`,
    words: sql<string>`to_tsvector('simple', ${searchText(snapshot)})`,
    removed,
    ...standingColumns(standing),
  }
  await tx
    .insertInto('listing')
    .values({ slug: snapshot.slug, ...row })
    .onConflict((conflict) => conflict.column('slug').doUpdateSet(row))
    .execute()
}

/** Writes how a known listing stands now. */
export const saveStanding = (tx: CatalogTx, slug: string, removed: boolean, standing: Standing) =>
  tx
    .updateTable('listing')
    .set({ removed, ...standingColumns(standing) })
    .where('slug', '=', slug)
    .execute()

const standingColumns = ({ okAt, checkedAt, liveness, conformance, mpp, ...rest }: Standing) => ({
  ...rest,
  ok_at: okAt,
  checked_at: checkedAt,
  liveness: JSON.stringify(liveness),
  conformance: JSON.stringify(conformance),
  mpp: [...mpp],
})

/** Notes that a listing was removed under a version; of several the highest counts. */
export const keepRemoval = (tx: CatalogTx, slug: string, version: number) =>
  tx
    .insertInto('listing_removal')
    .values({ slug, version })
    .onConflict((conflict) =>
      conflict
        .column('slug')
        .doUpdateSet({ version: sql<number>`greatest(listing_removal.version, excluded.version)` }),
    )
    .execute()

/** True when the listing was removed under this version or a later one. */
export const isRemoved = async (tx: CatalogTx, slug: string, version: number): Promise<boolean> =>
  (await tx
    .selectFrom('listing_removal')
    .select('slug')
    .where('slug', '=', slug)
    .where('version', '>=', version)
    .executeTakeFirst()) !== undefined
