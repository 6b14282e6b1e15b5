import { agentLinked } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import type { AgentsContext } from '../kit.ts'
import { putTrust } from '../store/device-trust.repository.ts'
import { beginEnd, changeLink, lockLink } from '../store/link.repository.ts'
import { lockOwner } from '../store/owner.repository.ts'
import type { AgentsTx, LinkTable } from '../store/tables.ts'
import { finishEnd } from './end.ts'
import { passing } from './moments.ts'

/** Writes down what oauth has granted, and ends the live link that it replaces. It may be repeated. */
export async function becomeLive(ctx: AgentsContext, link: LinkTable): Promise<void> {
  const replaced = await ctx.db.transaction().execute((tx) => writeDown(ctx, tx, link))
  passing('live')
  if (!replaced) return
  // The new link stands; the rest of the old one's end may come later, by the job.
  await finishEnd(ctx, replaced).catch((error: unknown) => {
    ctx.log.warn({ err: error, linkId: replaced.id }, 'a replaced link is not over yet')
  })
}

async function writeDown(ctx: AgentsContext, tx: AgentsTx, link: LinkTable): Promise<LinkTable | undefined> {
  const { id, owner, wallet, label, device, scopes, allowance_usd, client_id: clientId, linked_at } = link
  const now = new Date(ctx.clock.now())
  await lockOwner(tx, owner)
  if ((await lockLink(tx, id))?.state !== 'approving') return undefined
  const replaced = await beginEnd(tx, link, 'relink', now)
  await changeLink(tx, id, { state: 'live' })
  if (link.trusts_device && device !== null) await putTrust(tx, { owner, device, scopes, allowance_usd, since: now })
  const linkedAt = isoTime(linked_at.getTime())
  await ctx.publish(tx, agentLinked, { linkId: id, clientId, owner, wallet, label, device, scopes, linkedAt })
  return replaced
}
