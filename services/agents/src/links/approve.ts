import { type DeviceGrant, MAX_LINKS, oauth, type Scope } from '@callboard/contract'
import { type Address, isRefusal, refuse } from '@callboard/values'
import type { AgentsContext } from '../kit.ts'
import { dropLink, insertLink, linksOf, othersLinked } from '../store/link.repository.ts'
import { lockOwner } from '../store/owner.repository.ts'
import type { AgentsTx, LinkRequestTable, LinkTable } from '../store/tables.ts'
import { becomeLive } from './become-live.ts'
import { passing } from './moments.ts'
import { endKeys, keyForPoller } from './router-key.ts'

/** What is granted, and on whose word. */
export interface Approval {
  readonly grant: DeviceGrant
  readonly request: LinkRequestTable
  readonly owner: Address
  readonly scopes: Scope[]
  /** USD a day. */
  readonly allowanceUsd: number
  readonly trustsDevice: boolean
  /** Looked at while the owner's row is locked; a false one refuses the approval. Absent when the owner decides. */
  readonly isCovered?: (tx: AgentsTx) => Promise<boolean>
}

/**
 * Approves a request to be linked. The next poll of its grant gets tokens when this is answered.
 * @refuses link_limit when other wallets hold every place · already_decided when the grant is no longer pending, is being
 * approved at this moment, or the approval is not covered
 */
export async function approve(ctx: AgentsContext, approval: Approval) {
  const link = await begin(ctx, approval)
  if (isRefusal(link)) return link
  passing('begun')
  return grantLink(ctx, link, approval.grant.sealingKey)
}

/** A place among the owner's links, held before anything is done elsewhere. */
async function begin(ctx: AgentsContext, approval: Approval) {
  const { grant, request, owner, scopes, allowanceUsd, trustsDevice, isCovered } = approval
  const now = new Date(ctx.clock.now())
  const link: LinkTable = {
    ...{ id: ctx.newId(), grant_id: grant.grantId, owner, client_id: grant.clientId, wallet: request.wallet },
    ...{ label: request.label, device: request.device, trusts_device: trustsDevice, scopes },
    allowance_usd: allowanceUsd.toFixed(2),
    may_have_key: scopes.includes('router.use'),
    ...{ state: 'approving', linked_at: now, attempted_at: now, ended_at: null, ended_by: null },
  }
  return ctx.db.transaction().execute(async (tx) => {
    await lockOwner(tx, owner)
    if (isCovered && !(await isCovered(tx))) return refuse('already_decided')
    if ((await othersLinked(tx, owner, request.wallet)) >= MAX_LINKS) return refuse('link_limit')
    return (await insertLink(tx, link)) ? link : refuse('already_decided')
  })
}

/**
 * The rest of an approval: a Router key, the token family, the link. It may be done again from its beginning as long as
 * oauth has not opened the family.
 */
export async function grantLink(ctx: AgentsContext, link: LinkTable, sealingKey: string) {
  const { sealed, routerUnavailable } = await keyForPoller(ctx, link, sealingKey)
  passing('keyed')
  const live = await linksOf(ctx.db, link.owner, ['live'])
  const granted = await ctx.call(oauth.approveGrant, {
    ...{ grantId: link.grant_id, linkId: link.id, owner: link.owner, scopes: link.scopes, sealed, routerUnavailable },
    replaces: live.flatMap(({ id, client_id }) => (client_id === link.client_id ? id : [])),
  })
  if (isRefusal(granted)) {
    await abandon(ctx, link).catch((error: unknown) => {
      ctx.log.warn({ err: error, linkId: link.id }, 'an approval is not undone yet')
    })
    return granted.refusal === 'not_found' ? refuse('already_decided') : refuse(granted.refusal)
  }
  passing('granted')
  await becomeLive(ctx, link)
  return { routerUnavailable }
}

/** Undoes an approval that oauth does not follow. Where the Router is away, the job comes back to it. */
export async function abandon(ctx: AgentsContext, link: LinkTable): Promise<void> {
  await ctx.call(oauth.revokeLink, { linkId: link.id })
  await endKeys(ctx, link.id)
  await dropLink(ctx.db, link.id)
}
