import type { Address, Caip2 } from '@callboard/values'
import { type SqlBool, sql } from 'kysely'
import type { Listing } from '../domain/listing.ts'
import type { Neighbour } from '../domain/warnings.ts'
import type { ListingsDb } from './tables.ts'

/** A listing as far as settlements are attributed by it. */
export interface Claimant
  extends Pick<Listing, 'slug' | 'network' | 'group' | 'status' | 'createdAt' | 'listedAt' | 'withdrawnAt'> {
  /** Its splitter. */
  readonly payTo: Address
}

/**
 * The listings that are or were paid through some splitters; those of one payout wallet share it. Oldest first. Every
 * payment reads all of its splitter's, so they come without their operations: a wallet may have had any number of
 * listings, each with schemas of 256 KiB.
 */
export async function claimantsOf(
  db: ListingsDb,
  payees: readonly { readonly network: Caip2; readonly payTo: Address }[],
): Promise<Claimant[]> {
  const rows = await db
    .selectFrom('listing')
    .select(['slug', 'network', 'splitter_address', 'listing_group', 'status'])
    .select(['created_at', 'listed_at', 'withdrawn_at'])
    .where(
      sql<SqlBool>`(network, splitter_address) in (
        select network, address from unnest(
          ${payees.map(({ network }) => network)}::text[], ${payees.map(({ payTo }) => payTo)}::text[])
        as wanted (network, address))`,
    )
    .orderBy('created_at')
    .orderBy('slug')
    .execute()
  return rows.map((row) => ({
    slug: row.slug,
    network: row.network,
    payTo: row.splitter_address,
    group: row.listing_group,
    status: row.status,
    createdAt: row.created_at.getTime(),
    listedAt: row.listed_at?.getTime() ?? null,
    withdrawnAt: row.withdrawn_at?.getTime() ?? null,
  }))
}

/** The listings that are paid through a splitter and not withdrawn, oldest first. */
export const paidThrough = (db: ListingsDb, network: Caip2, splitter: Address): Promise<Neighbour[]> =>
  db
    .selectFrom('listing')
    .select(['slug', 'owner', 'status'])
    .select(
      sql<Neighbour['operations']>`(
        select coalesce(jsonb_agg(jsonb_build_object('url', sold -> 'url', 'price', sold -> 'price')), '[]')
        from jsonb_array_elements(operations) sold)`.as('operations'),
    )
    .where('network', '=', network)
    .where('splitter_address', '=', splitter)
    .where('withdrawn_at', 'is', null)
    .orderBy('created_at')
    .orderBy('slug')
    .execute()
