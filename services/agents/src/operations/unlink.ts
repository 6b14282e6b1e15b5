import { AgentClientId, type agents } from '@callboard/contract'
import { unlessUnavailable } from '@callboard/runtime'
import { refuse } from '@callboard/values'
import type { AgentsHandler } from '../context.ts'
import { endEvery } from '../links/end-every.ts'

export const unlink: AgentsHandler<typeof agents.unlink> = async ({ clientId, descendants }, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  if (!AgentClientId.safeParse(clientId).success) return refuse('not_found')
  const link = { owner: ctx.caller.owner, client_id: clientId }
  return unlessUnavailable(ctx, 'authorization server or the Router', () => endEvery(ctx, link, 'owner', descendants))
}
