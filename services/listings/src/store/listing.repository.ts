import type { Liveness } from '@callboard/contract'
import type { Address, Caip2 } from '@callboard/values'
import type { Listing } from '../domain/listing.ts'
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
  operations: row.operations,
  conformances: row.conformances,
  liveness: row.liveness,
  createdAt: row.created_at.getTime(),
  listedAt: row.listed_at?.getTime() ?? null,
  updatedAt: row.updated_at.getTime(),
})

/** What of a listing can change. */
const mutableColumns = (listing: Listing) => ({
  version: listing.version,
  name: listing.name,
  description: listing.description,
  status: listing.status,
  verification: listing.verification,
  splitter_deployed: listing.splitter.deployed,
  operations: JSON.stringify(listing.operations),
  conformances: JSON.stringify(listing.conformances),
  listed_at: listing.listedAt === null ? null : new Date(listing.listedAt),
  updated_at: new Date(listing.updatedAt),
})

/** @returns false when the slug is taken */
export async function insertListing(tx: ListingsTx, listing: Listing): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('listing')
    .values({
      ...mutableColumns(listing),
      slug: listing.slug,
      owner: listing.owner,
      category: listing.category,
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

export async function findListing(db: ListingsDb, slug: string): Promise<Listing | undefined> {
  const row = await db.selectFrom('listing').selectAll().where('slug', '=', slug).executeTakeFirst()
  return row && listingOf(row)
}

/** A listing of this owner; what belongs to others looks like what does not exist. */
export async function findOwned(db: ListingsDb, slug: string, owner: Address): Promise<Listing | undefined> {
  const listing = await findListing(db, slug)
  return listing?.owner === owner ? listing : undefined
}

export async function ownedBy(db: ListingsDb, owner: Address): Promise<Listing[]> {
  const rows = await db
    .selectFrom('listing')
    .selectAll()
    .where('owner', '=', owner)
    .orderBy('created_at')
    .orderBy('slug')
    .execute()
  return rows.map(listingOf)
}

/** The listings that are paid through a splitter; those of one payout wallet share it. Oldest first. */
export async function paidThrough(db: ListingsDb, network: Caip2, splitter: Address): Promise<Listing[]> {
  const rows = await db
    .selectFrom('listing')
    .selectAll()
    .where('network', '=', network)
    .where('splitter_address', '=', splitter)
    .orderBy('created_at')
    .orderBy('slug')
    .execute()
  return rows.map(listingOf)
}

/** A listing, locked until the commit. */
export async function lockBySlug(tx: ListingsTx, slug: string): Promise<Listing | undefined> {
  const row = await tx.selectFrom('listing').selectAll().where('slug', '=', slug).forUpdate().executeTakeFirst()
  return row && listingOf(row)
}

/** Writes a listing that `lockBySlug` has locked. */
export const saveListing = (tx: ListingsTx, listing: Listing) =>
  tx.updateTable('listing').set(mutableColumns(listing)).where('slug', '=', listing.slug).execute()

/** Takes in a newer week of checks; an older one is left out. */
export const saveLiveness = (tx: ListingsTx, slug: string, liveness: Liveness, at: Date) =>
  tx
    .updateTable('listing')
    .set({ liveness: JSON.stringify(liveness), liveness_at: at })
    .where('slug', '=', slug)
    .where((row) => row.or([row('liveness_at', 'is', null), row('liveness_at', '<=', at)]))
    .execute()
