import { heldFacts } from '../domain/mirror/held-row.ts'
import { repeatsRejected } from '../domain/rejection.ts'
import { rejectedOf } from '../store/listing.repository.ts'
import type { ListingsTx } from '../store/tables.ts'
import type { HeldRow } from './held-by.ts'

/**
 * Refuses a claimed row the name of something of its owner or of its payee that the operator rejected or suspended, as a
 * listing is refused it; undefined if it may have it.
 */
export async function nameRejected(tx: ListingsTx, row: HeldRow, name: string) {
  const { payoutWallet } = heldFacts(row)
  const rejected = await rejectedOf(tx, { owner: row.owner, payoutWallet })
  return repeatsRejected(
    { name, operations: [] },
    rejected.filter(({ slug }) => slug !== row.slug),
  )
}
