import type { HeldRow } from '../claims/held-by.ts'
import { answeredBySystem } from '../domain/checklist.ts'
import type { Listing } from '../domain/listing.ts'
import { heldFacts } from '../domain/mirror/held-row.ts'
import { mirrorSnapshot } from '../domain/mirror/mirror-view.ts'
import { mergedConformance } from '../domain/refresh.ts'
import { verifiedNamesake } from '../store/listing.repository.ts'
import type { ListingsTx } from '../store/tables.ts'

/** The checklist of a locked listing, with the answers that the system knows. @param now milliseconds */
export async function checklistOf(tx: ListingsTx, listing: Listing, now: number) {
  return answeredBySystem({
    operations: listing.operations,
    conformance: mergedConformance(listing.conformances),
    // Our own listings are created without one.
    signedFor: listing.group === 'svc' ? null : 'the listing',
    payTo: listing.splitter.address,
    splitterDeployed: listing.splitter.deployed,
    namesake: await verifiedNamesake(tx, listing),
    now,
  })
}

/** The same for a claimed row. */
export async function checklistOfHeld(tx: ListingsTx, row: HeldRow, now: number) {
  const { operations, conformance } = mirrorSnapshot(row)
  const { name, payTo } = heldFacts(row)
  const { signedBy } = row.held
  const namesake = await verifiedNamesake(tx, { owner: row.owner, name })
  return answeredBySystem({
    operations,
    conformance,
    // The payee may have changed since: the one that signed speaks for no other.
    signedFor: (signedBy ?? payTo).toLowerCase() === payTo.toLowerCase() ? 'the claim' : null,
    payTo,
    splitterDeployed: null,
    namesake,
    now,
  })
}
