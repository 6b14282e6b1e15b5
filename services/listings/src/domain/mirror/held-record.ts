import { type ListingRecord, noChecks } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import { noTotals, sums } from '../views.ts'
import { heldFacts } from './held-row.ts'
import { mirrorSnapshot } from './mirror-view.ts'
import type { Mirrored } from './mirrored.ts'

/** A claimed row as its owner sees it. It is paid directly, so it has no splitter. */
export function heldRecord(row: Mirrored): ListingRecord {
  const { version: _, payTo: __, conformance: ___, ...shown } = mirrorSnapshot(row)
  const rejection = row.held?.rejection ?? null
  return {
    ...shown,
    suspendedReason: row.state === 'suspended' ? row.reason : null,
    rejection: rejection && { at: isoTime(rejection.at), reason: rejection.reason },
    payoutWallet: heldFacts(row).payoutWallet,
    splitter: null,
    liveness: row.fact?.liveness ?? noChecks,
    ...sums(noTotals),
    shared: sums(noTotals.shared),
  }
}
