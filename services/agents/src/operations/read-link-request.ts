import type { agents } from '@callboard/contract'
import { isRefusal, refuse } from '@callboard/values'
import type { AgentsHandler } from '../context.ts'
import { pendingRequest, shownRequest } from '../requests/pending-request.ts'

export const readLinkRequest: AgentsHandler<typeof agents.readLinkRequest> = async ({ userCode, requester }, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const tried = { userCode, owner: ctx.caller.owner, requester }
  const pending = await pendingRequest(ctx, tried)
  return isRefusal(pending) ? pending : shownRequest(ctx, pending, tried)
}
