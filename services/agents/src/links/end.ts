import { agentRevoked, oauth } from '@callboard/contract'
import { isoTime, isRefusal, MINUTE_MS, refuse } from '@callboard/values'
import type { AgentsCallingContext } from '../context.ts'
import { adoptChildren, beginEnds, descendantsOf, type Ending } from '../store/descent.repository.ts'
import { beginEnd, endLink, isBeingApproved } from '../store/link.repository.ts'
import { lockOwner } from '../store/owner.repository.ts'
import type { AgentsTx, EndedBy, LinkTable } from '../store/tables.ts'
import { linkFailpoints } from './failpoints.ts'
import { endKeys } from './router-key.ts'

/** The fate of the links that descend from one that ends; those that are kept become children of its parent. */
export type Descendants = 'end' | 'keep'

/** Links whose end is recorded, with their state before. */
type Begun = readonly (LinkTable & { readonly wasLive: boolean })[]

/** A link to the client that is to be ended is being approved at this moment, and could outlive the answer. */
export const approvalInProgress = refuse('temporarily_unavailable', {
  message: 'An approval is in progress.',
  retryAfterSeconds: 5,
})

/**
 * Ends an owner's live link to a client, and all its descendants unless they are kept: once this resolves, none of
 * their tokens are accepted, and the Router has ended their keys.
 * @refuses temporarily_unavailable while a link to the client is being approved
 */
export async function end(
  ctx: AgentsCallingContext,
  link: Pick<LinkTable, 'owner' | 'client_id'>,
  by: EndedBy,
  descendants: Descendants,
) {
  const begun = await ctx.db.transaction().execute(async (tx) => {
    const now = new Date(ctx.clock.now())
    await lockOwner(tx, link.owner)
    // An agent may have asked to be linked again since its caller looked; that link is no descendant of this one.
    if (await isBeingApproved(tx, link)) return approvalInProgress
    const root = await beginEnd(tx, link, by, now)
    if (!root) return []
    return [{ ...root, wasLive: true }, ...(await beginEndOfDescendants(tx, root, descendants, { by: 'parent', now }))]
  })
  if (isRefusal(begun)) return begun
  if (begun.length === 0) return undefined
  linkFailpoints.hit('ending')
  await finishEnds(ctx, begun)
  return undefined
}

/** Begins the end of a link's descendants, or moves its children to its parent. */
export async function beginEndOfDescendants(
  tx: AgentsTx,
  { id, parent_id }: Pick<LinkTable, 'id' | 'parent_id'>,
  descendants: Descendants,
  ending: Ending,
): Promise<Begun> {
  if (descendants === 'end') return beginEnds(tx, await descendantsOf(tx, id), ending)
  await adoptChildren(tx, id, parent_id)
  return []
}

/**
 * Completes recorded ends concurrently. Links that were still being approved grant nothing from here on, and are left
 * to the job: the Router may be making a key for one at this moment.
 * @throws BusFault as `finishEnd`, once each was tried
 */
export async function finishEnds(ctx: AgentsCallingContext, begun: Begun): Promise<void> {
  const ends = await Promise.allSettled(
    begun.map((link) => (link.wasLive ? finishEnd(ctx, link) : voidLink(ctx, link))),
  )
  const failed = ends.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
}

/**
 * Completes a recorded end. It may be repeated.
 * @throws BusFault when oauth or, if the link may have a key, the Router is unavailable; the job retries it
 */
export async function finishEnd(ctx: AgentsCallingContext, link: LinkTable): Promise<void> {
  await voidLink(ctx, link)
  linkFailpoints.hit('void')
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await endLink(tx, link.id))) return
    await ctx.publish(tx, agentRevoked, {
      ...{ linkId: link.id, clientId: link.client_id, owner: link.owner },
      revokedAt: isoTime((link.ended_at ?? new Date(ctx.clock.now())).getTime()),
      by: link.ended_by ?? 'owner',
    })
  })
}

/** Takes from a link all that it grants: tokens first, including those that its approval has yet to open. */
export async function voidLink(
  ctx: AgentsCallingContext,
  { id, grant_id: grantId, ended_by }: LinkTable,
): Promise<void> {
  // Only an end from above can meet an approval under way; once denied here, oauth no longer opens it.
  if (ended_by === 'parent' || ended_by === 'trust') await ctx.call(oauth.denyGrant, { grantId })
  await ctx.call(oauth.revokeLink, { linkId: id })
  await endKeys(ctx, id)
}

/**
 * What ended from above while it was being approved is left to the job for a minute, since its key may be made just now.
 * An approval takes no minute: what is older was live, and its end has failed.
 */
export function isStuck({ state, ended_by, ended_at, linked_at }: LinkTable, now: number): boolean {
  if (state !== 'ending') return false
  if (ended_by !== 'parent' && ended_by !== 'trust') return true
  const endedMs = ended_at?.getTime() ?? 0
  return endedMs <= now - MINUTE_MS || linked_at.getTime() <= endedMs - MINUTE_MS
}
