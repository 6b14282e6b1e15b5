import { type agents, router } from '@callboard/contract'
import { isRefusal, refuse } from '@callboard/values'
import type { AgentsHandler } from '../context.ts'
import { linkOfCaller } from '../links/link-of-caller.ts'
import { unlessRouterUnavailable } from '../unavailable.ts'

export const selfStake: AgentsHandler<typeof agents.selfStake> = async (_input, ctx) => {
  const link = await linkOfCaller(ctx)
  if (!link) return refuse('unauthorized')
  const { owner } = link
  const compute = await unlessRouterUnavailable(ctx, () => ctx.call(router.computeOfStake, { owner }))
  if (isRefusal(compute)) return compute
  const { STAKE_URL, BASE_URL } = ctx.config
  return { owner, ...compute, stakeUrl: STAKE_URL ?? new URL('/stake', BASE_URL).href }
}
