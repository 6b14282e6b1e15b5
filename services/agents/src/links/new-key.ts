import type { Caller } from '@callboard/contract'
import { isUnavailable } from '@callboard/runtime'
import { refuse } from '@callboard/values'
import type { AgentsCallingContext } from '../context.ts'
import { changeLink, lockLink, noteKeyAsked } from '../store/link.repository.ts'
import { isNotBegun, routerUnavailable } from '../unavailable.ts'
import { isInForce } from './link-of-caller.ts'
import { mintKey, type Source } from './router-key.ts'

/**
 * Makes a Router key for the calling agent. That it may exist is recorded before the Router is asked, so that no crash
 * leaves a key that outlives its link; the link stays locked meanwhile, so its end and a new allowance wait.
 */
export async function newKeyOfCaller(ctx: AgentsCallingContext, caller: Caller, source: Source) {
  if (caller.kind !== 'agent') return refuse('unauthorized')
  for (;;) {
    const first = await noteKeyAsked(ctx.db, caller.linkId)
    const answer = await ctx.db.transaction().execute(async (tx) => {
      const link = await lockLink(tx, caller.linkId)
      if (!isInForce(link)) return refuse('unauthorized')
      // A concurrent request, which the Router surely did not take, has withdrawn the record.
      if (!link.may_have_key) return undefined
      try {
        return await mintKey(ctx, link, source)
      } catch (error) {
        if (!isUnavailable(error)) throw error
        if (first && isNotBegun(error)) await changeLink(tx, link.id, { may_have_key: false })
        return routerUnavailable(ctx, error)
      }
    })
    if (answer) return answer
  }
}
