import { type ListingRecord, noChecks } from '@callboard/contract'
import { shownRejection } from '../rejection.ts'
import { noTotals, sums } from '../views.ts'
import { heldFacts } from './held-row.ts'
import { mirrorSnapshot } from './mirror-view.ts'
import type { Mirrored } from './mirrored.ts'

/** A claimed row as its owner sees it. It is paid directly, so it has no splitter. */
export function heldRecord(row: Mirrored): ListingRecord {
  const { version: _, payTo: __, conformance: ___, ...shown } = mirrorSnapshot(row)
  return {
    ...shown,
    suspendedReason: row.state === 'suspended' ? row.reason : null,
    ...shownRejection(row.takenDown ?? row.held?.rejection),
    payoutWallet: heldFacts(row).payoutWallet,
    splitter: null,
    liveness: row.fact?.liveness ?? noChecks,
    ...sums(noTotals),
    shared: sums(noTotals.shared),
  }
}
