import { schemaOf, type Waking, whenWoken } from '@callboard/runtime'
import { SECOND_MS } from '@callboard/values'
import type { FacilitatorContext } from '../context.ts'
import { GasBudgetSpent } from '../settlement/gas/gas-budget-spent.ts'
import { runPayment } from '../settlement/runner/run-payment.ts'
import { nextOrphanMs, orphanedPayments } from '../store/lease.repository.ts'
import { claimsChannel, LEASE_MS, TOLD_EVERY_MS } from '../store/payment.repository.ts'

/** Payments taken up per round; the next round follows a second later if more are left. */
const AT_ONCE = 200

/**
 * Takes up every payment between claim and outcome on which no runner works: its caller is gone, or its runner was
 * killed. What was claimed is settled; only payments that lack gas are given up here. An announced claim can be
 * orphaned only after its lease ends; while none is open this job sleeps.
 */
export const settleOpen = whenWoken<FacilitatorContext>('settle-open', waking, async (ctx) => {
  const dueInMs = await nextOrphanMs(ctx.db)
  if (dueInMs !== 0) return dueInMs
  const keys = await orphanedPayments(ctx.db, AT_ONCE)
  const runs = keys.map((key) => runPayment(ctx, key, { forMs: SECOND_MS, releases: false }))
  for (const [index, outcome] of (await Promise.allSettled(runs)).entries()) {
    if (outcome.status === 'fulfilled' || outcome.reason instanceof GasBudgetSpent) continue
    ctx.log.warn({ err: outcome.reason, key: keys[index] }, 'a payment waits on')
  }
  return nextOrphanMs(ctx.db)
})

function waking({ name }: FacilitatorContext): Waking {
  return { channels: [claimsChannel(schemaOf(name))], pollMs: SECOND_MS, dueAfterMs: LEASE_MS + TOLD_EVERY_MS }
}
