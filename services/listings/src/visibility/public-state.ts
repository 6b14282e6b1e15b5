import type { ListingSnapshot } from '@callboard/contract'
import type { Address } from '@callboard/values'
import type { Rejection } from '../domain/listing.ts'
import { rejectionOf } from '../domain/mirror/held-row.ts'
import { mirrorSnapshot } from '../domain/mirror/mirror-view.ts'
import { snapshotOf } from '../domain/views.ts'
import { findListing } from '../store/listing.repository.ts'
import { findMirrored } from '../store/mirror.repository.ts'
import type { ListingsDb } from '../store/tables.ts'

/** A listing or a mirrored row as everyone would see it, and what only its owner and the operator know about it. */
export interface PublicState {
  readonly snapshot: ListingSnapshot
  /** Null for an unclaimed row. */
  readonly owner: Address | null
  /** Why it was taken down, in words. */
  readonly takenDownFor: string | null
  /** The operator's verdict in force against it. */
  readonly verdict: Rejection | null
  /** Whether the code of its splitter was seen on chain; null if it is paid directly. */
  readonly splitterDeployed: boolean | null
}

/** The state of a listing or a mirrored row of any owner; undefined if unknown or withdrawn. */
export async function publicStateOf(db: ListingsDb, slug: string): Promise<PublicState | undefined> {
  const listing = await findListing(db, slug)
  if (listing) {
    const { owner, rejection, suspendedReason, splitter } = listing
    const takenDownFor = rejection ? rejection.reason : suspendedReason
    const splitterDeployed = splitter.deployed
    return { snapshot: snapshotOf(listing), owner, takenDownFor, verdict: rejection, splitterDeployed }
  }
  const row = await findMirrored(db, slug)
  if (!row) return undefined
  const verdict = rejectionOf(row)
  const takenDownFor = verdict?.reason ?? row.reason
  return { snapshot: mirrorSnapshot(row), owner: row.owner, takenDownFor, verdict, splitterDeployed: null }
}
