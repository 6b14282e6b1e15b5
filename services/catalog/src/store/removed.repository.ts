import { type SqlBool, sql } from 'kysely'
import { groupRank } from '../domain/ranking.ts'
import { lockListing, lockPayees } from './locks.ts'
import type { CatalogDb, CatalogTx } from './tables.ts'

const AT_ONCE = 100

/** A mirrored resource that was removed, and to which no settlement belongs, alone or with others. */
const isUnpaid = sql<SqlBool>`
  listing.removed and listing.group_rank = ${sql.lit(groupRank('external'))}
  and not exists (select from settlement where settlement.slug = listing.slug and not reverted)
  and not exists (
    select from settlement where cardinality(shared_with) > 0 and shared_with @> array[listing.slug]::text[])`

/**
 * Deletes a portion of the mirrored resources that were removed before a time and never paid: a source decides how many
 * there are, and each names a payee, whose claimants are read with every payment.
 * @returns whether there may be more
 */
export async function deleteUnpaid(db: CatalogDb, before: Date): Promise<boolean> {
  const { rows } = await sql<{ slug: string }>`
    select listing.slug from listing_removal removal join listing using (slug)
    where removal.removed_at < ${before} and ${isUnpaid} limit ${AT_ONCE}`.execute(db)
  for (const { slug } of rows) await db.transaction().execute((tx) => forget(tx, slug))
  return rows.length === AT_ONCE
}

/** Forgets a listing, unless it was listed again or paid meanwhile. */
async function forget(tx: CatalogTx, slug: string): Promise<void> {
  await lockListing(tx, slug)
  await lockPayees(
    tx,
    await tx.selectFrom('payee_claim').select(['network', 'address']).where('slug', '=', slug).execute(),
  )
  const deleted = await sql`delete from listing where slug = ${slug} and ${isUnpaid}`.execute(tx)
  if (deleted.numAffectedRows === 0n) return
  for (const table of [
    'payee_claim',
    'asked',
    'asked_price',
    'endpoint_check',
    'live_offer',
    'listing_removal',
  ] as const)
    await tx.deleteFrom(table).where('slug', '=', slug).execute()
  // Last, since triggers write it once more: no replica shows what was removed.
  await tx.deleteFrom('listing_change').where('slug', '=', slug).execute()
}
