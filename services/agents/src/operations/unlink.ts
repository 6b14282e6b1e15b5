import type { agents } from '@callboard/contract'
import { refuse } from '@callboard/values'
import { unlessAway } from '../away.ts'
import type { AgentsHandler } from '../kit.ts'
import { endEvery } from '../links/end-every.ts'

export const unlink: AgentsHandler<typeof agents.unlink> = async ({ clientId }, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const link = { owner: ctx.caller.owner, client_id: clientId }
  return unlessAway(ctx, 'authorization server or the Router', () => endEvery(ctx, link, 'owner'))
}
