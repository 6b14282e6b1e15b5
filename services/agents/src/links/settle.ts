import { oauth } from '@callboard/contract'
import { type Address, isRefusal } from '@callboard/values'
import type { AgentsCallingContext } from '../context.ts'
import { linksOf } from '../store/link.repository.ts'
import type { LinkTable } from '../store/tables.ts'
import { abandon, grantLink } from './approve.ts'
import { becomeLive } from './become-live.ts'
import { finishEnd } from './end.ts'

/** Whether oauth has opened the token family of a link that is still `approving`. */
export async function isGranted(ctx: AgentsCallingContext, { id, grant_id: grantId }: LinkTable): Promise<boolean> {
  const grant = await ctx.call(oauth.findGrant, { grantId })
  return !isRefusal(grant) && grant.linkId === id
}

/**
 * Records approvals of an owner that oauth has granted and whose process did not get to it: their agents may act, so
 * their owner must see and be able to end them.
 */
export async function recordGranted(ctx: AgentsCallingContext, owner: Address): Promise<void> {
  for (const link of await linksOf(ctx.db, owner, ['approving'])) {
    if (await isGranted(ctx, link)) await becomeLive(ctx, link)
  }
}

/**
 * Completes a link that a process left between two steps. The owner has decided, so an approval is completed if oauth
 * still accepts it, and undone if the grant has expired or was denied.
 */
export async function settle(ctx: AgentsCallingContext, link: LinkTable): Promise<void> {
  if (link.state === 'ending') return finishEnd(ctx, link)
  const grant = await ctx.call(oauth.findGrant, { grantId: link.grant_id })
  if (isRefusal(grant)) return abandon(ctx, link)
  if (grant.linkId === link.id) return becomeLive(ctx, link)
  if (grant.state === 'pending') await grantLink(ctx, link, grant.sealingKey)
  else await abandon(ctx, link)
}
