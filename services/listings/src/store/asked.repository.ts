import { mayClaim, type PayeeClaim, PRICE_GRACE_MS, pricesAsked, resourcesSold } from '@callboard/contract'
import { type Address, type Caip2, isoTime } from '@callboard/values'
import { type SqlBool, sql } from 'kysely'
import type { Listing } from '../domain/listing.ts'
import { snapshotOf } from '../domain/views.ts'
import type { Payee } from '../payees.ts'
import { type Claimant, claimantsOf } from './claimant.repository.ts'
import type { PaymentKey } from './settlement.repository.ts'
import type { ListingsDb, ListingsTx } from './tables.ts'

/**
 * Records what a version of a listing asks, according to its snapshot, unless the version before it asked the same: its
 * owner decides how many versions there are, and most change its texts only. The caller locks the listing.
 */
export async function keepAsked(tx: ListingsTx, listing: Listing): Promise<void> {
  const { slug, version, updatedAt } = listing
  const snapshot = snapshotOf(listing)
  const prices = JSON.stringify(pricesAsked(snapshot))
  const resources = JSON.stringify(resourcesSold(snapshot))
  await sql`
    insert into asked (slug, version, since, prices, resources)
    select one.* from (select ${slug}, ${version}::bigint, ${new Date(updatedAt)}::timestamptz,
                              ${prices}::jsonb, ${resources}::jsonb) as one (slug, version, since, prices, resources)
    where not exists (
      select from (select prices, resources from asked where slug = ${slug} order by version desc limit 1) as last
      where last.prices = one.prices and last.resources = one.resources)`.execute(tx)
}

/** The claimants of a splitter, and what each asked; the listings of one payout wallet share it. */
export const claimsOn = async (db: ListingsDb, payee: Payee, span: Span): Promise<PayeeClaim[]> =>
  claimsAmong(db, await claimantsOf(db, [payee]), span)

/** Times on the chain, in milliseconds. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The span of some times, of which there is at least one. */
export const spanOf = (times: readonly number[]): Span => ({ from: Math.min(...times), to: Math.max(...times) })

/**
 * What listings asked, for those that may claim the splitter through which they are paid.
 * @param span of the settlements: only what can have been asked within it is read, which is all that the rule needs
 */
export async function claimsAmong(db: ListingsDb, claimants: readonly Claimant[], span: Span): Promise<PayeeClaim[]> {
  const sharing = claimants.filter(mayClaimIt)
  if (sharing.length === 0) return []
  const isAround = sql<SqlBool>`since <= ${new Date(span.to + PRICE_GRACE_MS)} and version >= coalesce((
    select max(version) from asked before
    where before.slug = asked.slug and since < ${new Date(span.from - PRICE_GRACE_MS)}), 0)`
  const rows = await db
    .selectFrom('asked')
    .select(['slug', 'version', 'since', 'prices', 'resources'])
    .where(sql<SqlBool>`slug = any(${sharing.map(({ slug }) => slug)})`)
    .where(isAround)
    .execute()
  const bySlug = Map.groupBy(rows, ({ slug }) => slug)
  return sharing.map(({ slug, group, listedAt, createdAt, withdrawnAt }) => ({
    slug,
    group,
    removed: withdrawnAt !== null,
    since: listedAt ?? createdAt,
    asked: (bySlug.get(slug) ?? []).map((row) => ({ ...row, since: row.since.getTime() })),
  }))
}

const mayClaimIt = ({ status, listedAt }: Claimant): boolean =>
  mayClaim({ status, listedAt: listedAt === null ? null : isoTime(listedAt) })

const payeeName = (network: Caip2, splitter: Address) => `listings:payee:${network}:${splitter}`

/** For changing the owner of a splitter's settlements. */
export const lockPayee = (tx: ListingsTx, network: Caip2, splitter: Address) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${payeeName(network, splitter)}, 0))`.execute(tx)

/** The identity of an authorization of the chain's USDC, and whom it pays. */
export interface PaymentTo extends PaymentKey {
  readonly payTo: Address
}

/**
 * For writes about payments. Whoever observes one and whoever learns its named resource see each other's work; many
 * settlements of a splitter are written at once, but none while they are attributed again. Payments come before payees.
 */
export async function lockPayments(tx: ListingsTx, payments: readonly PaymentTo[]): Promise<void> {
  const inOrder = (names: readonly string[]) => [...new Set(names)].sort()
  const own = inOrder(payments.map(({ network, payer, nonce }) => `listings:payment:${network}:${payer}:${nonce}`))
  const shared = inOrder(payments.map(({ network, payTo }) => payeeName(network, payTo)))
  await sql`
    select case when place <= ${own.length} then pg_advisory_xact_lock(hashtextextended(name, 0))
                else pg_advisory_xact_lock_shared(hashtextextended(name, 0)) end
    from unnest(${[...own, ...shared]}::text[]) with ordinality as lock (name, place)`.execute(tx)
}
