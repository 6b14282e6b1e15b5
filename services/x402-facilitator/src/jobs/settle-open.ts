import { every } from '@callboard/runtime'
import { SECOND_MS } from '@callboard/values'
import type { FacilitatorKit } from '../kit.ts'
import { orphanedPayments } from '../store/lease.repository.ts'

/** Payments taken up per round; the next round comes a second later. */
const AT_ONCE = 200

/**
 * Takes up every payment that stands between claim and outcome and on which nobody works: its caller went away, or its
 * driver was killed. What was claimed is settled; nothing is given up here.
 */
export const settleOpen = every<FacilitatorKit>('settle-open', SECOND_MS, async (kit) => {
  const keys = await orphanedPayments(kit.db, AT_ONCE)
  const driven = keys.map((key) => kit.parts.drives.run(kit, key, { forMs: SECOND_MS, releases: false }))
  for (const [index, outcome] of (await Promise.allSettled(driven)).entries()) {
    if (outcome.status === 'rejected') kit.log.warn({ err: outcome.reason, key: keys[index] }, 'a payment waits on')
  }
})
