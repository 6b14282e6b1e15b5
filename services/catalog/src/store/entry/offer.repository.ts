import { type SqlBool, sql } from 'kysely'
import type { LiveOffer } from '../../domain/entry/endpoint-offers.ts'
import type { OfferedFrom, OfferedVersions } from '../../domain/entry/offer-changes.ts'
import { rowsOfSold, type Sold, soldOf } from '../check.repository.ts'
import type { CatalogDb, CatalogTx } from '../tables.ts'

/** Writes the offer of an endpoint, unless a later check already did. */
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

/** The last offers of some endpoints of a listing. */
export async function liveOffersOf(db: CatalogDb, slug: string, sold: readonly Sold[]): Promise<LiveOffer[]> {
  const { rows } = await sql<LiveOffer>`
    select one.method, one.url, state, accepts, checked_at as "checkedAt"
    from ${rowsOfSold('live_offer', sql`${slug}`, soldOf(sold))}`.execute(db)
  return rows
}

/** Versions to read first, more than a feed has entries; each further part is twice as large. */
const FIRST_PART = 64
/** After this many characters no further part is read: providers decide how long and how many versions are. */
const ENOUGH_CHARACTERS = 1_000_000

/** The offers of the newest versions of a listing while it was live, at most `most`; fewer if they are long. */
export async function offeredBy(db: CatalogDb, slug: string, most: number): Promise<OfferedVersions> {
  const versions: OfferedFrom[] = []
  let characters = 0
  for (let part = FIRST_PART; versions.length < most && characters < ENOUGH_CHARACTERS; part *= 2) {
    const limit = Math.min(part, most - versions.length)
    const rows = await offersBefore(db, slug, versions.at(-1)?.version, limit)
    for (const { offers, ...row } of rows) {
      characters += offers.length
      versions.push({ ...row, offers: JSON.parse(offers) })
    }
    if (rows.length < limit) return { versions, isWhole: true }
  }
  return { versions, isWhole: false }
}

/**
 * Identifies the versions of which `offeredBy` reads the newest. A version never changes, but a rebuild writes it again;
 * one that comes late between others takes the place of the oldest.
 */
export async function versionsOffered(db: CatalogDb, slug: string, most: number): Promise<string> {
  const { rows } = await sql<{ versions: string }>`
    select concat_ws(' ', count(*), min(version), max(version), max(xmin::text::bigint)) as versions
    from (select version, xmin from asked where slug = ${slug} and offers is not null
          order by version desc limit ${most}) newest`.execute(db)
  return rows[0]?.versions ?? ''
}

const offersBefore = (db: CatalogDb, slug: string, version: number | undefined, limit: number) =>
  db
    .selectFrom('asked')
    .select(['version', 'since', sql<string>`offers::text`.as('offers')])
    .where('slug', '=', slug)
    .where('offers', 'is not', null)
    .where(version === undefined ? sql<SqlBool>`true` : sql<SqlBool>`version < ${version}`)
    .orderBy('version', 'desc')
    .limit(limit)
    .execute()

/** Deletes offers of endpoints that have not been read since a given time. */
export const deleteLiveOffersBefore = (db: CatalogDb, before: Date) =>
  db.deleteFrom('live_offer').where('checked_at', '<', before).execute()
