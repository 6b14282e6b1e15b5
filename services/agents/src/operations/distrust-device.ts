import type { agents } from '@callboard/contract'
import { unlessUnavailable } from '@callboard/runtime'
import { type Address, refuse } from '@callboard/values'
import type { AgentsCallingContext, AgentsHandler } from '../context.ts'
import { finishEnds, voidLink } from '../links/end.ts'
import { linkFailpoints } from '../links/failpoints.ts'
import { automaticOf, beginEnds } from '../store/descent.repository.ts'
import { endTrust } from '../store/device-trust.repository.ts'
import { linksOf } from '../store/link.repository.ts'
import { lockOwner } from '../store/owner.repository.ts'

/**
 * Waits for an approval that is being made on this trust and ends it with the others. Links that the owner approved
 * stay.
 */
export const distrustDevice: AgentsHandler<typeof agents.distrustDevice> = async (
  { device, descendants = 'end' },
  ctx,
) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const { owner } = ctx.caller
  return unlessUnavailable(ctx, 'authorization server or the Router', async () => {
    await voidUnfinished(ctx, owner)
    const begun = await ctx.db.transaction().execute(async (tx) => {
      await lockOwner(tx, owner)
      await endTrust(tx, owner, device)
      const ending = { by: 'trust' as const, now: new Date(ctx.clock.now()) }
      return descendants === 'end' ? beginEnds(tx, await automaticOf(tx, owner, device), ending) : []
    })
    if (begun.length > 0) linkFailpoints.hit('ending')
    await finishEnds(ctx, begun)
    return {}
  })
}

/** Completes what an earlier attempt recorded but did not finish. */
async function voidUnfinished(ctx: AgentsCallingContext, owner: Address): Promise<void> {
  for (const link of await linksOf(ctx.db, owner, ['ending'])) if (link.ended_by === 'trust') await voidLink(ctx, link)
}
