import type { router } from '@callboard/contract'
import type { RouterHandler } from '../context.ts'
import { resetsAt } from '../domain/day.ts'
import { usdText } from '../domain/usd.ts'
import { balanceOf, computeLimitOf, remaining, spendingOf } from '../spending.ts'
import { subjectOf } from '../store/budget.repository.ts'

/** A link can spend what is left of its own allowance or of its owner's Compute, whichever is less. */
export const view: RouterHandler<typeof router.view> = async ({ owner, linkId }, ctx) => {
  const [{ limit: ownerLimit }, [ofLink, ofOwner], balance] = await Promise.all([
    computeLimitOf(ctx, owner),
    spendingOf(ctx, [subjectOf('link', linkId), subjectOf('owner', owner)], 0n),
    balanceOf(ctx, owner),
  ])
  const link = ofLink ?? { limit: 0n, spent: 0n, held: 0n }
  const whole = { spent: 0n, held: 0n, ...ofOwner, limit: ownerLimit }
  const [left, ownerLeft] = [remaining(link), remaining(whole)]
  return {
    compute: {
      allowanceUsd: usdText(link.limit),
      spentTodayUsd: usdText(link.spent),
      remainingTodayUsd: usdText(left < ownerLeft ? left : ownerLeft),
      resetsAt: resetsAt(ctx.clock.now()),
      ownerLimitUsd: usdText(ownerLimit),
      ownerSpentUsd: usdText(whole.spent),
    },
    balance,
  }
}
