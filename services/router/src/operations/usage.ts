import { router } from '@callboard/contract'
import { DAY_MS, refuse } from '@callboard/values'
import type { RouterHandler } from '../context.ts'
import { epochOf, resetsAt } from '../domain/day.ts'
import { usdText } from '../domain/usd.ts'
import { balanceOf, computeLimitOf, remaining, spendingOf } from '../spending.ts'
import { subjectOf } from '../store/budget.repository.ts'
import { usageOf } from '../store/usage.repository.ts'

export const usage: RouterHandler<typeof router.usage> = async (_input, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const { owner } = ctx.caller
  const now = ctx.clock.now()
  const since = new Date((epochOf(now) - router.USAGE_DAYS + 1) * DAY_MS)
  const [{ limit }, [ofOwner], balance, rows] = await Promise.all([
    computeLimitOf(ctx, owner),
    spendingOf(ctx, [subjectOf('owner', owner)], 0n),
    balanceOf(ctx, owner),
    usageOf(ctx.db, owner, since),
  ])
  const compute = { spent: 0n, held: 0n, ...ofOwner, limit }
  return {
    epoch: epochOf(now),
    compute: {
      limitUsd: usdText(compute.limit),
      spentUsd: usdText(compute.spent),
      heldUsd: usdText(compute.held),
      remainingUsd: usdText(remaining(compute)),
      resetsAt: resetsAt(now),
    },
    balance,
    usage: rows.map(({ day, model, keyId, calls, inputTokens, outputTokens, cost, estimatedCost }) => ({
      ...{ day, model, keyId, calls, inputTokens, outputTokens },
      costUsd: usdText(cost),
      estimatedUsd: usdText(estimatedCost),
    })),
  }
}
