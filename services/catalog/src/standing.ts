import { standingOf } from './domain/standing.ts'
import { checksOf } from './store/check.repository.ts'
import { findSnapshot, isRemoved, saveStanding } from './store/listing.repository.ts'
import type { CatalogTx } from './store/tables.ts'

/** Brings a listing's standing up to what is known of it; nothing to do for a listing that is not known yet. */
export async function restand(tx: CatalogTx, slug: string): Promise<void> {
  const known = await findSnapshot(tx, slug)
  if (!known) return
  const removed = await isRemoved(tx, slug, known.version)
  await saveStanding(tx, slug, removed, standingOf(known.snapshot, removed, await checksOf(tx, slug)))
}
