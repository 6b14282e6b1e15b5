import { type SqlBool, sql } from 'kysely'
import type { LiveOffer } from '../../domain/entry/endpoint-offers.ts'
import type { OfferedFrom } from '../../domain/entry/offer-changes.ts'
import type { CatalogDb, CatalogTx } from '../tables.ts'

/** Writes what an endpoint offers, unless a later check said it already. */
export async function keepLiveOffer(
  tx: CatalogTx,
  slug: string,
  { checkedAt, accepts, method, url, ...rest }: LiveOffer & { readonly sequence: number },
): Promise<void> {
  const row = { ...rest, checked_at: checkedAt, accepts: JSON.stringify(accepts) }
  await tx
    .insertInto('live_offer')
    .values({ slug, method, url, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['slug', 'method', 'url'])
        .doUpdateSet(row)
        .where(sql<SqlBool>`(live_offer.checked_at, live_offer.sequence) < (excluded.checked_at, excluded.sequence)`),
    )
    .execute()
}

/** What the endpoints of a listing offered last, past ones included. */
export const liveOffersOf = (db: CatalogDb, slug: string): Promise<LiveOffer[]> =>
  db
    .selectFrom('live_offer')
    .select(['method', 'url', 'state', 'accepts', 'checked_at as checkedAt'])
    .where('slug', '=', slug)
    .execute()

/** What the newest versions of a listing offered while it was live, at most so many. */
export async function offeredBy(db: CatalogDb, slug: string, limit: number): Promise<OfferedFrom[]> {
  const rows = await db
    .selectFrom('asked')
    .select(['version', 'since', 'offers'])
    .where('slug', '=', slug)
    .where('offers', 'is not', null)
    .orderBy('version', 'desc')
    .limit(limit)
    .execute()
  return rows.flatMap(({ offers, ...row }) => (offers ? { ...row, offers } : []))
}
