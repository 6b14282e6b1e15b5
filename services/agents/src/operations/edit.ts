import { agents, oauth, refuseStaleSignature, router } from '@callboard/contract'
import { isRefusal, refuse } from '@callboard/values'
import type { AgentsCallingContext, AgentsHandler, OwnerCaller } from '../context.ts'
import { grantedADay } from '../store/allowance.repository.ts'
import { changeLink, liveLink, lockLink } from '../store/link.repository.ts'
import { lockOwner } from '../store/owner.repository.ts'
import type { LinkTable } from '../store/tables.ts'
import { summariesOf } from '../summaries.ts'
import { unlessRouterUnavailable } from '../unavailable.ts'

/**
 * The link stays locked while the Router sets the allowance: what it set last is what is stored. The owner's row stays
 * locked too, so that raises at once are weighed in their sum.
 */
export const edit: AgentsHandler<typeof agents.edit> = async ({ clientId, routerAllowanceUsd }, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const { caller } = ctx
  const { owner } = caller
  const found = await liveLink(ctx.db, owner, clientId)
  if (!found) return refuse('not_found')
  const edited = await ctx.db.transaction().execute(async (tx) => {
    await lockOwner(tx, owner)
    const link = await lockLink(tx, found.id)
    if (link?.state !== 'live') return refuse('not_found')
    const others = Number(await grantedADay(tx, owner, clientId))
    const dailyUsd = { before: others + Number(link.allowance_usd), after: others + routerAllowanceUsd }
    const stale = refuseStaleSignature(agents.edit, caller, ctx.clock.now(), { dailyUsd })
    if (stale) return stale
    if (!(await isActive(ctx, caller))) return refuse('unauthorized')
    const answer = link.may_have_key ? await setAtRouter(ctx, link, { caller, routerAllowanceUsd }) : undefined
    if (isRefusal(answer)) return answer
    const allowance_usd = routerAllowanceUsd.toFixed(2)
    await changeLink(tx, link.id, { allowance_usd })
    return { ...link, allowance_usd }
  })
  if (isRefusal(edited)) return edited
  const [agent] = await summariesOf(ctx, owner, [edited])
  return agent ? { agent } : refuse('not_found')
}

async function isActive(ctx: AgentsCallingContext, { owner, sessionId }: OwnerCaller): Promise<boolean> {
  const session = await ctx.call(oauth.sessionState, { owner, sessionId })
  return !isRefusal(session) && session.active
}

/**
 * Sets what a link may spend a day at the Router. A session that is active once it is set ends after that, and its owner sees it; one
 * that has ended meanwhile leaves what stood before.
 */
async function setAtRouter(
  ctx: AgentsCallingContext,
  { owner, id: linkId, allowance_usd }: LinkTable,
  { caller, routerAllowanceUsd }: { readonly caller: OwnerCaller; readonly routerAllowanceUsd: number },
) {
  const set = (allowanceUsd: number) =>
    unlessRouterUnavailable(ctx, () => ctx.call(router.setAllowance, { owner, linkId, allowanceUsd }))
  const answer = await set(routerAllowanceUsd)
  if (isRefusal(answer)) return answer
  let isGiven = false
  try {
    isGiven = await isActive(ctx, caller)
  } finally {
    if (!isGiven) await set(Number(allowance_usd))
  }
  return isGiven ? answer : refuse('unauthorized')
}
