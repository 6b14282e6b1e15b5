import type { router } from '@callboard/contract'
import type { RouterHandler } from '../context.ts'
import { epochOf } from '../domain/day.ts'
import { usdText } from '../domain/usd.ts'
import { computeLimit } from '../spending.ts'

/** No stake contract is followed by this version, so no owner has staked anything here. */
const STAKE = '0'

export const computeOfStake: RouterHandler<typeof router.computeOfStake> = async (_input, ctx) => ({
  epoch: epochOf(ctx.clock.now()),
  stake: STAKE,
  computeTodayUsd: usdText(computeLimit(ctx)),
})
