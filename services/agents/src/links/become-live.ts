import { agentLinked } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import type { AgentsCallingContext } from '../context.ts'
import { adoptChildren, lineOf } from '../store/descent.repository.ts'
import { putTrust } from '../store/device-trust.repository.ts'
import { beginEnd, changeLink, liveLink, lockLink } from '../store/link.repository.ts'
import { lockOwner } from '../store/owner.repository.ts'
import type { AgentsTx, LinkTable } from '../store/tables.ts'
import { finishEnd } from './end.ts'
import { linkFailpoints } from './failpoints.ts'

/**
 * Records what oauth has granted, and ends the live link that it replaces. It may be repeated. Where a crash delayed it
 * beyond a later approval of the same wallet, this link is the one that is replaced.
 */
export async function becomeLive(ctx: AgentsCallingContext, link: LinkTable): Promise<void> {
  const replaced = await ctx.db.transaction().execute((tx) => writeDown(ctx, tx, link))
  linkFailpoints.hit('live')
  if (!replaced) return
  // The newer link is stored; the rest of the older one's end may be left to the job.
  await finishEnd(ctx, replaced).catch((error: unknown) => {
    ctx.log.warn({ err: error, linkId: replaced.id }, 'a replaced link is not over yet')
  })
}

/** @returns the link that is replaced */
async function writeDown(ctx: AgentsCallingContext, tx: AgentsTx, link: LinkTable): Promise<LinkTable | undefined> {
  const { id, owner, wallet, label, device, scopes, allowance_usd, client_id: clientId, linked_at } = link
  const now = new Date(ctx.clock.now())
  await lockOwner(tx, owner)
  const stands = await lockLink(tx, id)
  if (stands?.state !== 'approving') return undefined
  const live = await liveLink(tx, owner, clientId)
  if (live && live.linked_at > linked_at) return endReplaced(tx, stands, now)
  const replaced = await beginEnd(tx, link, 'relink', now)
  await changeLink(tx, id, { state: 'live' })
  const parentId = replaced ? await placeOf(tx, stands, replaced) : stands.parent_id
  if (stands.trusts_device && device !== null) {
    await putTrust(tx, { owner, device, scopes, allowance_usd, since: linked_at })
  }
  const linkedAt = isoTime(linked_at.getTime())
  await ctx.publish(tx, agentLinked, {
    ...{ linkId: id, clientId, owner, wallet, label, device, scopes, linkedAt },
    ...(stands.approved_by ? { approvedBy: stands.approved_by } : {}),
    ...(parentId ? { parentLinkId: parentId } : {}),
  })
  return replaced
}

async function endReplaced(tx: AgentsTx, link: LinkTable, now: Date): Promise<LinkTable> {
  const end = { state: 'ending', attempted_at: now, ended_at: now, ended_by: 'relink' } as const
  await changeLink(tx, link.id, end)
  return { ...link, ...end }
}

/**
 * Takes over the children of the replaced link. Two links that each asked for the other's renewal would become each
 * other's parent: then the later one takes over its predecessor's parent. @returns its parent
 */
async function placeOf(tx: AgentsTx, { id, parent_id }: LinkTable, replaced: LinkTable): Promise<string | null> {
  await adoptChildren(tx, replaced.id, id)
  const isClosed = parent_id !== null && (await lineOf(tx, parent_id)).includes(id)
  if (!isClosed) return parent_id
  await changeLink(tx, id, { parent_id: replaced.parent_id })
  return replaced.parent_id
}
