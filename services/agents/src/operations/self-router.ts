import { type agents, router } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { AgentsHandler } from '../context.ts'
import { linkOfCaller } from '../links/link-of-caller.ts'
import { unlessRouterUnavailable } from '../unavailable.ts'

export const selfRouter: AgentsHandler<typeof agents.selfRouter> = async (_input, ctx) => {
  const link = await linkOfCaller(ctx)
  if (!link) return refuse('unauthorized')
  return unlessRouterUnavailable(ctx, () => ctx.call(router.view, { owner: link.owner, linkId: link.id }))
}
