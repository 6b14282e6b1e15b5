import { agents, type InputOf, isWithin, oauth, refuseStaleSignature } from '@callboard/contract'
import { isRefusal, refuse } from '@callboard/values'
import type { AgentsCallingContext, AgentsHandler, OwnerCaller } from '../context.ts'
import { approve } from '../links/approve.ts'
import { type Pending, pendingRequest, shownRequest } from '../requests/pending-request.ts'

type Decision = InputOf<typeof agents.decideLink>['decision']

export const decideLink: AgentsHandler<typeof agents.decideLink> = async ({ userCode, requester, decision }, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const { owner } = ctx.caller
  const pending = await pendingRequest(ctx, { userCode, owner, requester })
  if (isRefusal(pending)) return pending
  const request = await shownRequest(ctx, pending, { userCode, owner })
  const decided = await decide(ctx, ctx.caller, pending, decision)
  return isRefusal(decided) ? decided : { request, ...decided }
}

async function decide(
  ctx: AgentsCallingContext,
  session: OwnerCaller,
  { grant, request }: Pending,
  decision: Decision,
) {
  if (decision.verdict === 'deny') {
    const denied = await ctx.call(oauth.denyGrant, { grantId: grant.grantId })
    return isRefusal(denied) ? denied : { routerUnavailable: false }
  }
  const scopes = [...new Set(decision.scopes)]
  if (!isWithin(scopes, grant.scopes)) return refuse('invalid_scope')
  const giving = {
    scopes,
    allowanceUsd: scopes.includes('router.use') ? decision.routerAllowanceUsd : 0,
    // Trust can only be given if it was asked for.
    trustsDevice: decision.trustDevice && request.asks_for_trust,
  }
  const { owner, sessionId } = session
  const stale = refuseStaleSignature(agents.decideLink, session, ctx.clock.now(), giving)
  return stale ?? approve(ctx, { grant, request, owner, sessionId, ...giving })
}
