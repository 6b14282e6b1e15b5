import { heldFacts } from '../domain/mirror/held-row.ts'
import { repeatRefused } from '../repeats.ts'
import type { ListingsTx } from '../store/tables.ts'
import type { HeldRow } from './held-by.ts'

/**
 * Refuses a claimed row the name of something of its owner or of its payee that the operator rejected or suspended, as a
 * listing is refused it; undefined if it may have it.
 */
export function nameRejected(tx: ListingsTx, row: HeldRow, name: string) {
  const { slug, owner } = row
  return repeatRefused(tx, { slug, owner, payoutWallet: heldFacts(row).payoutWallet, name, operations: [] })
}
