import type { router } from '@callboard/contract'
import type { RouterHandler } from '../context.ts'
import { epochOf } from '../domain/day.ts'
import { usdText } from '../domain/usd.ts'
import { computeLimitOf } from '../spending.ts'

/** What an owner has staked, and its Compute of today: an increase counts from tomorrow on. */
export const computeOfStake: RouterHandler<typeof router.computeOfStake> = async ({ owner }, ctx) => {
  const { limit, stake } = await computeLimitOf(ctx, owner)
  return { epoch: epochOf(ctx.clock.now()), stake: stake.toString(), computeTodayUsd: usdText(limit) }
}
