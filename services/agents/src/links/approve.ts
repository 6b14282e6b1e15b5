import { type DeviceGrant, MAX_LINKS, oauth, type Scope } from '@callboard/contract'
import { type Address, isRefusal, type Refusal, refuse } from '@callboard/values'
import type { AgentsCallingContext } from '../context.ts'
import { lineOf } from '../store/descent.repository.ts'
import { dropLink, insertLink, linksOf, liveLink, othersLinked } from '../store/link.repository.ts'
import { lockOwner } from '../store/owner.repository.ts'
import type { AgentsTx, LinkRequestTable, LinkTable } from '../store/tables.ts'
import { becomeLive } from './become-live.ts'
import { linkFailpoints } from './failpoints.ts'
import { endKeys, keyForPoller } from './router-key.ts'

/** What is granted, and who approves it. */
export interface Approval {
  readonly grant: DeviceGrant
  readonly request: LinkRequestTable
  readonly owner: Address
  readonly scopes: Scope[]
  /** USD per day. */
  readonly allowanceUsd: number
  readonly trustsDevice: boolean
  /** The link whose token asked, if a trusted device approves; absent if the owner does. */
  readonly askedBy?: string
  /** The session in which the owner approves; absent if a trusted device does. */
  readonly sessionId?: string
  /** Called while the owner's row is locked, so concurrent decisions see each other; a refusal prevents approval. */
  readonly rule?: (tx: AgentsTx) => Promise<Refusal<'already_decided'> | undefined>
}

/**
 * Approves a request to be linked. Once this resolves, the next poll of its grant gets tokens.
 * @refuses link_limit if other wallets hold every place · already_decided if the grant is no longer pending, or is
 * being approved at this moment · unauthorized if the session has ended · whatever the approval's rule refuses
 */
export async function approve(ctx: AgentsCallingContext, approval: Approval) {
  const link = await begin(ctx, approval)
  if (isRefusal(link)) return link
  linkFailpoints.hit('begun')
  const granted = await grantLink(ctx, link, approval.grant.sealingKey)
  if (!isRefusal(granted)) {
    const waitedMs = link.linked_at.getTime() - approval.request.asked_at.getTime()
    ctx.resources.meters.approvalSeconds.observe({ approved_by: link.approved_by }, waitedMs / 1_000)
  }
  return granted
}

/** Takes a place among the owner's links, before anything is done elsewhere. */
async function begin(ctx: AgentsCallingContext, approval: Approval) {
  const { grant, request, owner, scopes, allowanceUsd, trustsDevice, askedBy, sessionId = null, rule } = approval
  const now = new Date(ctx.clock.now())
  const link = {
    ...{ id: ctx.newId(), grant_id: grant.grantId, owner, client_id: grant.clientId, wallet: request.wallet },
    ...{ label: request.label, device: request.device, trusts_device: trustsDevice, scopes },
    ...{ allowance_usd: allowanceUsd.toFixed(2), allowance_asked_at: null },
    may_have_key: scopes.includes('router.use'),
    ...{ state: 'approving', linked_at: now, attempted_at: now, ended_at: null, ended_by: null, seen_at: null },
    approved_by: askedBy === undefined ? 'owner' : 'trusted_device',
    session_id: sessionId,
  } as const satisfies Omit<LinkTable, 'parent_id'>
  return ctx.db.transaction().execute(async (tx) => {
    await lockOwner(tx, owner)
    const refused = await rule?.(tx)
    if (refused) return refused
    if ((await othersLinked(tx, owner, request.wallet)) >= MAX_LINKS) return refuse('link_limit')
    const placed = { ...link, parent_id: askedBy === undefined ? null : await parentFor(tx, link, askedBy) }
    return (await insertLink(tx, placed)) ? placed : refuse('already_decided')
  })
}

/**
 * The parent of a link that was approved automatically: the link whose token asked. If that one is, or descends from,
 * the link being replaced, the new link takes over the replaced one's parent, so that descent never forms a cycle.
 */
async function parentFor(tx: AgentsTx, { owner, client_id }: Pick<LinkTable, 'owner' | 'client_id'>, askedBy: string) {
  const replaced = await liveLink(tx, owner, client_id)
  const isOfItsLine = replaced !== undefined && (await lineOf(tx, askedBy)).includes(replaced.id)
  return isOfItsLine ? replaced.parent_id : askedBy
}

/**
 * The rest of an approval: a Router key, the token family, the link. It may be repeated from the start as long as oauth
 * has not opened the family.
 */
export async function grantLink(ctx: AgentsCallingContext, link: LinkTable, sealingKey: string) {
  const { sealed, routerUnavailable } = await keyForPoller(ctx, link, sealingKey)
  linkFailpoints.hit('keyed')
  const live = await linksOf(ctx.db, link.owner, ['live'])
  const granted = await ctx.call(oauth.approveGrant, {
    ...{ grantId: link.grant_id, linkId: link.id, owner: link.owner, scopes: link.scopes, sealed, routerUnavailable },
    ...(link.session_id === null ? {} : { sessionId: link.session_id }),
    replaces: live.flatMap((one) => (isReplacedBy(one, link) ? one.id : [])),
  })
  if (isRefusal(granted)) {
    await abandon(ctx, link).catch((error: unknown) => {
      ctx.log.warn({ err: error, linkId: link.id }, 'an approval is not undone yet')
    })
    // Its session ended after the request was admitted.
    if (granted.refusal === 'access_denied') return refuse('unauthorized')
    return granted.refusal === 'not_found' ? refuse('already_decided') : refuse(granted.refusal)
  }
  linkFailpoints.hit('granted')
  await becomeLive(ctx, link)
  return { routerUnavailable }
}

/** Whether a link ends an earlier one of its wallet. One that a crash delayed is itself replaced by a later one. */
const isReplacedBy = (live: LinkTable, link: LinkTable): boolean =>
  live.client_id === link.client_id && live.linked_at <= link.linked_at

/** Undoes an approval that oauth refused. If the Router is unavailable, the job retries it. */
export async function abandon(ctx: AgentsCallingContext, link: LinkTable): Promise<void> {
  await ctx.call(oauth.revokeLink, { linkId: link.id })
  await endKeys(ctx, link.id)
  await dropLink(ctx.db, link.id)
}
