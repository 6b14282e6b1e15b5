import { type agents, router } from '@callboard/contract'
import { isRefusal, refuse } from '@callboard/values'
import { unlessAway } from '../away.ts'
import type { AgentsHandler } from '../kit.ts'
import { changeLink, liveLink, lockLink } from '../store/link.repository.ts'
import { summariesOf } from '../summaries.ts'

/** The link stays locked while the Router is told: what it was told last is what is stored. */
export const edit: AgentsHandler<typeof agents.edit> = async ({ clientId, routerAllowanceUsd }, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const { owner } = ctx.caller
  const found = await liveLink(ctx.db, owner, clientId)
  if (!found) return refuse('not_found')
  const edited = await ctx.db.transaction().execute(async (tx) => {
    const link = await lockLink(tx, found.id)
    if (link?.state !== 'live') return refuse('not_found')
    if (link.may_have_key) {
      const terms = { owner, linkId: link.id, allowanceUsd: routerAllowanceUsd }
      const told = await unlessAway(ctx, 'Router', () => ctx.call(router.setAllowance, terms))
      if (isRefusal(told)) return told
    }
    const allowance_usd = routerAllowanceUsd.toFixed(2)
    await changeLink(tx, link.id, { allowance_usd })
    return { ...link, allowance_usd }
  })
  if (isRefusal(edited)) return edited
  const [agent] = await summariesOf(ctx, owner, [edited])
  return agent ? { agent } : refuse('not_found')
}
