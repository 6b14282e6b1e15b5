import { type agents, router } from '@callboard/contract'
import { refuse } from '@callboard/values'
import { unlessAway } from '../away.ts'
import type { AgentsHandler } from '../kit.ts'
import { linkOfCaller } from '../links/link-of-caller.ts'

export const selfRouter: AgentsHandler<typeof agents.selfRouter> = async (_input, ctx) => {
  const link = await linkOfCaller(ctx)
  if (!link) return refuse('unauthorized')
  return unlessAway(ctx, 'Router', () => ctx.call(router.view, { owner: link.owner, linkId: link.id }))
}
