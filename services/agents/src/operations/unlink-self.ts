import type { agents } from '@callboard/contract'
import { unlessUnavailable } from '@callboard/runtime'
import { refuse } from '@callboard/values'
import type { AgentsHandler } from '../context.ts'
import { endEvery } from '../links/end-every.ts'
import { linkOfCaller } from '../links/link-of-caller.ts'

export const unlinkSelf: AgentsHandler<typeof agents.unlinkSelf> = async (_input, ctx) => {
  const { caller } = ctx
  if (caller.kind !== 'agent') return refuse('not_an_agent')
  const link = await linkOfCaller(ctx)
  if (!link) return refuse('unauthorized')
  return unlessUnavailable(ctx, 'authorization server or the Router', () => endEvery(ctx, link, 'agent'))
}
