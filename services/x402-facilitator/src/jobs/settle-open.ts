import { every } from '@callboard/runtime'
import { SECOND_MS } from '@callboard/values'
import type { FacilitatorContext } from '../context.ts'
import { GasBudgetSpent } from '../settlement/gas-budget-spent.ts'
import { runPayment } from '../settlement/runner/run-payment.ts'
import { orphanedPayments } from '../store/lease.repository.ts'

/** Payments taken up per round; the next round comes a second later. */
const AT_ONCE = 200

/**
 * Takes up every payment that stands between claim and outcome and on which no runner works: its caller is gone, or its
 * runner was killed. What was claimed is settled; nothing is given up here but what there is no gas for.
 */
export const settleOpen = every<FacilitatorContext>('settle-open', SECOND_MS, async (ctx) => {
  const keys = await orphanedPayments(ctx.db, AT_ONCE)
  const runs = keys.map((key) => runPayment(ctx, key, { forMs: SECOND_MS, releases: false }))
  for (const [index, outcome] of (await Promise.allSettled(runs)).entries()) {
    if (outcome.status === 'fulfilled' || outcome.reason instanceof GasBudgetSpent) continue
    ctx.log.warn({ err: outcome.reason, key: keys[index] }, 'a payment waits on')
  }
})
