import type { router } from '@callboard/contract'
import type { RouterHandler } from '../context.ts'
import { epochOf } from '../domain/day.ts'
import { usdText } from '../domain/usd.ts'
import { computeLimitOf } from '../spending.ts'

/** An owner's stake and its Compute today: an increase counts from tomorrow. */
export const computeOfStake: RouterHandler<typeof router.computeOfStake> = async ({ owner }, ctx) => {
  const { limit, stake } = await computeLimitOf(ctx, owner)
  return { epoch: epochOf(ctx.clock.now()), stake: stake.toString(), computeTodayUsd: usdText(limit) }
}
