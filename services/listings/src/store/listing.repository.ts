import type { ListingStatus, Liveness } from '@callboard/contract'
import { type Address, lookAlikeKey } from '@callboard/values'
import { sitesOf } from '@callboard/values/site'
import { type SqlBool, sql } from 'kysely'
import type { Listing } from '../domain/listing.ts'
import type { ListingPlace } from '../domain/listing-cursor.ts'
import { rejectionOf } from '../domain/mirror/held-row.ts'
import { mirrorSnapshot } from '../domain/mirror/mirror-view.ts'
import { asRead, readTimes } from '../domain/read-times.ts'
import { judgedRows, verifiedRows } from './mirror.repository.ts'
import type { ListingRow, ListingsDb, ListingsTx } from './tables.ts'

const listingOf = (row: ListingRow): Listing => ({
  slug: row.slug,
  version: row.version,
  owner: row.owner,
  name: row.name,
  description: row.description,
  category: row.category,
  status: row.status,
  verification: row.verification,
  group: row.listing_group,
  provenance: row.provenance,
  fee: { bps: row.fee_bps, label: row.fee_label },
  network: row.network,
  payoutWallet: row.payout_wallet,
  splitter: { address: row.splitter_address, factory: row.splitter_factory, deployed: row.splitter_deployed },
  otherSplitters: row.other_splitters,
  suspendedReason: row.suspended_reason,
  rejection: row.rejected_at && {
    kind: row.rejected_kind ?? 'rejected',
    at: row.rejected_at.getTime(),
    reason: row.rejected_reason,
    resources: row.rejected_resources ?? [],
  },
  reviewed: row.reviewed,
  operations: asRead(row.operations, row.read_times),
  conformances: row.conformances,
  liveness: row.liveness,
  createdAt: row.created_at.getTime(),
  listedAt: row.listed_at?.getTime() ?? null,
  updatedAt: row.updated_at.getTime(),
  withdrawnAt: row.withdrawn_at?.getTime() ?? null,
})

/** The columns of a listing that can change. */
const mutableColumns = (listing: Listing) => ({
  version: listing.version,
  name: listing.name,
  description: listing.description,
  category: listing.category,
  status: listing.status,
  verification: listing.verification,
  splitter_deployed: listing.splitter.deployed,
  suspended_reason: listing.suspendedReason,
  other_splitters: JSON.stringify(listing.otherSplitters),
  reviewed: listing.reviewed && JSON.stringify(listing.reviewed),
  name_key: lookAlikeKey(listing.name),
  name_key_of: listing.name,
  operations: JSON.stringify(listing.operations),
  read_times: null,
  conformances: JSON.stringify(listing.conformances),
  listed_at: listing.listedAt === null ? null : new Date(listing.listedAt),
  updated_at: new Date(listing.updatedAt),
  withdrawn_at: listing.withdrawnAt === null ? null : new Date(listing.withdrawnAt),
  sites: sitesOf(listing.operations),
  rejected_at: listing.rejection && new Date(listing.rejection.at),
  rejected_reason: listing.rejection?.reason ?? null,
  rejected_kind: listing.rejection?.kind ?? null,
  rejected_resources: listing.rejection && [...(listing.rejection.resources ?? [])],
})

/** @returns false if the slug is taken */
export async function insertListing(tx: ListingsTx, listing: Listing): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('listing')
    .values({
      ...mutableColumns(listing),
      slug: listing.slug,
      owner: listing.owner,
      listing_group: listing.group,
      provenance: listing.provenance,
      fee_bps: listing.fee.bps,
      fee_label: listing.fee.label,
      network: listing.network,
      payout_wallet: listing.payoutWallet,
      splitter_address: listing.splitter.address,
      splitter_factory: listing.splitter.factory,
      liveness: JSON.stringify(listing.liveness),
      liveness_at: null,
      created_at: new Date(listing.createdAt),
    })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** A listing; a withdrawn one appears not to exist. */
export async function findListing(db: ListingsDb, slug: string): Promise<Listing | undefined> {
  const listing = await findEvenWithdrawn(db, slug)
  return listing?.withdrawnAt === null ? listing : undefined
}

/** The current or last holder of a slug. */
export async function findEvenWithdrawn(db: ListingsDb, slug: string): Promise<Listing | undefined> {
  const row = await db.selectFrom('listing').selectAll().where('slug', '=', slug).executeTakeFirst()
  return row && listingOf(row)
}

/** A listing of this owner; those of others appear not to exist. */
export async function findOwned(db: ListingsDb, slug: string, owner: Address): Promise<Listing | undefined> {
  const listing = await findListing(db, slug)
  return listing?.owner === owner ? listing : undefined
}

/** An owner's listings after a place, oldest first. */
export async function ownedBy(db: ListingsDb, owner: Address, limit: number, after?: ListingPlace): Promise<Listing[]> {
  const rows = await db
    .selectFrom('listing')
    .selectAll()
    .where('owner', '=', owner)
    .where('withdrawn_at', 'is', null)
    .$if(after !== undefined, (query) =>
      query.where(sql<SqlBool>`(created_at, slug) > (${new Date(after?.createdAt ?? 0)}, ${after?.slug})`),
    )
    .orderBy('created_at')
    .orderBy('slug')
    .limit(limit)
    .execute()
  return rows.map(listingOf)
}

/** How many listings are in each status, without withdrawn ones. */
export async function countByStatus(db: ListingsDb): Promise<Map<ListingStatus, number>> {
  const { rows } = await sql<{ status: ListingStatus; count: number }>`
    select status, count(*)::integer as count from listing where withdrawn_at is null group by status`.execute(db)
  return new Map(rows.map(({ status, count }) => [status, count]))
}

/**
 * The name of a verified listing of another owner with which a name can be confused. Look-alike names are locked until
 * the commit, so that of two transactions that take one at once, one sees the other.
 */
export async function verifiedNamesake(
  tx: ListingsTx,
  { owner, name }: Pick<Listing, 'owner' | 'name'>,
): Promise<string | undefined> {
  const key = lookAlikeKey(name)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`listings:name:${key}`}, 0))`.execute(tx)
  const rows = await tx
    .selectFrom('listing')
    .select('name')
    .where('verification', '=', 'verified')
    .where('owner', '<>', owner)
    .where((row) => row.or([row('name_key', '=', key), row('name_key_of', 'is distinct from', row.ref('name'))]))
    .execute()
  const held = (await verifiedRows(tx)).filter((row) => row.owner !== owner)
  return key === '' ? undefined : [...rows, ...held].find((one) => lookAlikeKey(one.name) === key)?.name
}

/** A listing that is not withdrawn, locked until the commit; rows that refer to it may be written meanwhile. */
export async function lockBySlug(tx: ListingsTx, slug: string): Promise<Listing | undefined> {
  const listing = await lockEvenWithdrawn(tx, slug)
  return listing?.withdrawnAt === null ? listing : undefined
}

/**
 * Locks listings, withdrawn or not, in one order until the commit. Whoever changes several locks all of them before any
 * payee, as whoever changes one does, or the two could deadlock.
 * @returns the slugs of those that exist
 */
export async function lockAll(tx: ListingsTx, slugs: readonly string[]): Promise<Set<string>> {
  const query = tx
    .selectFrom('listing')
    .select('slug')
    .where('slug', '=', sql<string>`any(${[...slugs]}::text[])`)
  return new Set((await query.orderBy('slug').forNoKeyUpdate().execute()).map(({ slug }) => slug))
}

/** A listing, withdrawn or not, locked until the commit. */
export async function lockEvenWithdrawn(tx: ListingsTx, slug: string): Promise<Listing | undefined> {
  const row = await tx.selectFrom('listing').selectAll().where('slug', '=', slug).forNoKeyUpdate().executeTakeFirst()
  return row && listingOf(row)
}

/**
 * The listings of an owner or of a payout wallet that the operator rejected or suspended, including withdrawn ones and
 * mirrored rows.
 */
export async function rejectedOf(
  db: ListingsDb,
  { owner, payoutWallet }: Pick<Listing, 'owner' | 'payoutWallet'>,
): Promise<Pick<Listing, 'slug' | 'name' | 'operations' | 'rejection'>[]> {
  const rows = await db
    .selectFrom('listing')
    .selectAll()
    .where('rejected_at', 'is not', null)
    .where((row) => row.or([row('owner', '=', owner), row('payout_wallet', '=', payoutWallet)]))
    .execute()
  const mirrored = (await judgedRows(db, owner, payoutWallet)).map((row) => {
    const { slug, name, operations } = mirrorSnapshot(row)
    return { slug, name, operations, rejection: rejectionOf(row) }
  })
  return [...rows.map(listingOf), ...mirrored]
}

/**
 * Which of these resources were sold by listings that the operator rejected or suspended for them. Only what a listing
 * sold while it was live counts: a draft may name anybody's endpoints.
 */
export async function judgedResources(db: ListingsDb, resources: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ resource: string }>`
    select distinct resource from listing, unnest(rejected_resources) resource
    where rejected_at is not null and rejected_resources && ${[...resources]}::text[]
      and exists (select from asked where asked.slug = listing.slug and asked.resources @> to_jsonb(resource))`.execute(
    db,
  )
  const wanted = new Set(resources)
  return new Set(rows.flatMap(({ resource }) => (wanted.has(resource) ? [resource] : [])))
}

/** Locks a slug until the commit, so that of two listings that want it at once one sees the other. */
export const lockSlug = (tx: ListingsTx, slug: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`listings:slug:${slug}`}, 0))`.execute(tx)

/** The same for several slugs, in one order. */
export const lockSlugs = (tx: ListingsTx, slugs: readonly string[]) =>
  sql`
    select pg_advisory_xact_lock(hashtextextended('listings:slug:' || slug, 0))
    from (select slug from unnest(${[...slugs]}::text[]) as wanted (slug) order by slug) wanted`.execute(tx)

/** Withdrawn drafts that only their owners knew and without settlements, which would stay attributed to them. */
const deleteUnknown = (db: ListingsDb) =>
  db
    .deleteFrom('listing')
    .where('listed_at', 'is', null)
    .where('withdrawn_at', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('settlement').select('slug').whereRef('settlement.slug', '=', 'listing.slug'))),
    )

/**
 * Deletes a withdrawn draft that only its owner knew.
 * @returns false if settlements reached it, which stay attributed to it
 */
export async function deleteUnlisted(tx: ListingsTx, slug: string): Promise<boolean> {
  const { numDeletedRows } = await deleteUnknown(tx).where('slug', '=', slug).executeTakeFirst()
  return numDeletedRows === 1n
}

/** Deletes all of those that were withdrawn before a given time. */
export const deleteUnlistedBefore = (db: ListingsDb, before: Date) =>
  deleteUnknown(db).where('withdrawn_at', '<', before).execute()

/** Writes a listing that `lockBySlug` has locked. */
export const saveListing = (tx: ListingsTx, listing: Listing) =>
  tx.updateTable('listing').set(mutableColumns(listing)).where('slug', '=', listing.slug).execute()

/** Writes when a locked listing was read, of which nothing else changed. */
export const saveReadTimes = (tx: ListingsTx, { slug, operations }: Pick<Listing, 'slug' | 'operations'>) =>
  tx
    .updateTable('listing')
    .set({ read_times: JSON.stringify(readTimes(operations)) })
    .where('slug', '=', slug)
    .execute()

/** Moves a locked listing of our own to another payee. Providers' listings keep theirs for good. */
export const movePayee = (tx: ListingsTx, { slug, owner, payoutWallet, splitter }: Listing) =>
  tx
    .updateTable('listing')
    .set({
      owner,
      payout_wallet: payoutWallet,
      splitter_address: splitter.address,
      splitter_factory: splitter.factory,
    })
    .where('slug', '=', slug)
    .where('listing_group', '=', 'svc')
    .execute()

/** Stores a newer week of checks; an older one is ignored. */
export const saveLiveness = (tx: ListingsTx, slug: string, liveness: Liveness, at: Date) =>
  tx
    .updateTable('listing')
    .set({ liveness: JSON.stringify(liveness), liveness_at: at })
    .where('slug', '=', slug)
    .where((row) => row.or([row('liveness_at', 'is', null), row('liveness_at', '<=', at)]))
    .execute()
