import { mayClaim, type PayeeClaim, PRICE_GRACE_MS, pricesAsked, resourcesSold } from '@callboard/contract'
import type { Address, Caip2, Hex } from '@callboard/values'
import { type SqlBool, sql } from 'kysely'
import type { Listing } from '../domain/listing.ts'
import { snapshotOf } from '../domain/views.ts'
import { paidThrough } from './listing.repository.ts'
import type { ListingsDb, ListingsTx } from './tables.ts'

/** Notes what a version of a listing asks, as its snapshot says it. */
export async function keepAsked(tx: ListingsTx, listing: Listing): Promise<void> {
  const { slug, version, updatedAt } = listing
  const snapshot = snapshotOf(listing)
  const prices = JSON.stringify(pricesAsked(snapshot))
  const resources = JSON.stringify(resourcesSold(snapshot))
  await tx
    .insertInto('asked')
    .values({ slug, version, since: new Date(updatedAt), prices, resources })
    .execute()
}

/**
 * Who claims a splitter, and what each asked; the listings of one payout wallet share it.
 * @param at milliseconds: only what can have been asked at this moment is read, which is all that the rule looks at
 */
export async function claimsOn(db: ListingsDb, network: Caip2, splitter: Address, at?: number): Promise<PayeeClaim[]> {
  const sharing = (await paidThrough(db, network, splitter)).filter(mayClaimIt)
  if (sharing.length === 0) return []
  const slugs = sharing.map(({ slug }) => slug)
  const isAround =
    at === undefined
      ? sql<SqlBool>`true`
      : sql<SqlBool>`since <= ${new Date(at + PRICE_GRACE_MS)} and version >= coalesce((
          select max(version) from asked before
          where before.slug = asked.slug and since < ${new Date(at - PRICE_GRACE_MS)}), 0)`
  const rows = await db.selectFrom('asked').selectAll().where('slug', 'in', slugs).where(isAround).execute()
  const bySlug = Map.groupBy(rows, ({ slug }) => slug)
  return sharing.map(({ slug, group, listedAt, createdAt, withdrawnAt }) => ({
    slug,
    group,
    removed: withdrawnAt !== null,
    since: listedAt ?? createdAt,
    asked: (bySlug.get(slug) ?? []).map((row) => ({ ...row, since: row.since.getTime() })),
  }))
}

const mayClaimIt = (listing: Listing): boolean => mayClaim(snapshotOf(listing))

const payeeLock = (network: Caip2, splitter: Address) =>
  sql`hashtextextended(${`listings:payee:${network}:${splitter}`}, 0)`

/** For changing whose the settlements of a splitter are. */
export const lockPayee = (tx: ListingsTx, network: Caip2, splitter: Address) =>
  sql`select pg_advisory_xact_lock(${payeeLock(network, splitter)})`.execute(tx)

/**
 * The consumer that observes a payment and the one that learns what it named see each other's work; taken before its
 * payee's lock.
 */
export const lockPayment = (
  tx: ListingsTx,
  { network, payer, nonce }: { readonly network: Caip2; readonly payer: Address; readonly nonce: Hex },
) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`listings:payment:${network}:${payer}:${nonce}`}, 0))`.execute(tx)

/** For writing a settlement: many at once, but none while it is decided anew whose they are. */
export const sharePayee = (tx: ListingsTx, network: Caip2, splitter: Address) =>
  sql`select pg_advisory_xact_lock_shared(${payeeLock(network, splitter)})`.execute(tx)
