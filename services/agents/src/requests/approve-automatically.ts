import type { Caller } from '@callboard/contract'
import { oauth, router } from '@callboard/contract'
import { isUnavailable } from '@callboard/runtime'
import { type Address, DAY_MS, HOUR_MS, isRefusal, refuse } from '@callboard/values'
import type { AgentCaller, AgentsCallingContext } from '../context.ts'
import { type Asked, covers } from '../domain/terms.ts'
import { usdBeyond } from '../domain/usd.ts'
import { approve } from '../links/approve.ts'
import { automaticSince, spendersOfTrust, trustInUse } from '../store/allowance.repository.ts'
import { trustOf } from '../store/device-trust.repository.ts'
import { linkById } from '../store/link.repository.ts'
import type { AgentsTx, LinkRequestTable } from '../store/tables.ts'

/**
 * Approves a request without asking the owner, if an agent on a device that they trust asks for another one on the same
 * device, within its own rights and what is left of the trust. Otherwise the request is left to the owner.
 * @returns whether it is approved
 */
export async function approveAutomatically(
  ctx: AgentsCallingContext,
  caller: Caller,
  request: LinkRequestTable,
): Promise<boolean> {
  if (!request.asks_for_trust || caller.kind !== 'agent') return false
  try {
    return await approveOnTrust(ctx, caller, request)
  } catch (error) {
    if (!isUnavailable(error)) throw error
    ctx.log.warn({ err: error, grantId: request.grant_id }, 'a request is not approved automatically now')
    return false
  }
}

async function approveOnTrust(
  ctx: AgentsCallingContext,
  caller: AgentCaller,
  request: LinkRequestTable,
): Promise<boolean> {
  const grant = await ctx.call(oauth.findGrant, { grantId: request.grant_id })
  if (isRefusal(grant)) return false
  const { scopes, clientId } = grant
  const suggested = request.suggested_allowance_usd
  const asked = { scopes, allowanceUsd: suggested === null ? undefined : Number(suggested) }
  const approved = await approve(ctx, {
    ...{ grant, request, scopes, owner: caller.owner, trustsDevice: false, askedBy: caller.linkId },
    allowanceUsd: scopes.includes('router.use') ? (asked.allowanceUsd ?? 0) : 0,
    rule: async (tx) =>
      (await isCovered(ctx, tx, { caller, device: request.device, clientId, asked }))
        ? undefined
        : refuse('already_decided'),
  })
  return !isRefusal(approved)
}

interface AutomaticRequest {
  readonly caller: AgentCaller
  readonly device: string | null
  /** The agent to be linked; a live link of it is replaced, and then uses nothing of the trust. */
  readonly clientId: string
  readonly asked: Asked
}

/**
 * Whether the trust in a device still covers a request that an agent of that device may make. The owner's row is
 * locked, so that of concurrent requests each sees what the previous ones took.
 */
async function isCovered(
  ctx: Pick<AgentsCallingContext, 'call' | 'config' | 'clock'>,
  tx: AgentsTx,
  { caller: { linkId, owner, scopes }, device, clientId, asked }: AutomaticRequest,
): Promise<boolean> {
  const { config, clock } = ctx
  const link = await linkById(tx, linkId)
  if (device === null || link?.state !== 'live' || link.owner !== owner || link.device !== device) return false
  const trust = await trustOf(tx, owner, device)
  if (!trust) return false
  const used = (await trustInUse(tx, owner, clientId)).find((use) => use.device === device)
  const hourly = await automaticSince(tx, owner, device, new Date(clock.now() - HOUR_MS))
  const spentUsd = asked.scopes.includes('router.use') ? await spentOfTrust(ctx, tx, { owner, device, clientId }) : []
  return covers(
    { scopes: trust.scopes.filter((scope) => scopes.includes(scope)), allowanceUsd: trust.allowance_usd },
    { allowanceUsd: used?.usd ?? '0', spentUsd, hourly },
    { ofDevice: config.AUTOMATIC_LINKS_PER_HOUR, ofOwner: config.AUTOMATIC_LINKS_PER_HOUR_OF_OWNER },
    asked,
  )
}

/** The most links per call to the Router. */
const ASKED_AT_ONCE = 100

/**
 * What was spent today besides the allowances of links in force. Links that ended, or are being replaced, leave what
 * they spent: a wallet costs nothing to make, and a new one's day would start at zero. One whose allowance the owner
 * lowered leaves what it spent above it; one that is ending may spend until it is over. Calls under way may cost what
 * they hold.
 * @throws BusFault while the Router is unavailable: then the owner is asked
 */
async function spentOfTrust(
  { call, clock }: Pick<AgentsCallingContext, 'call' | 'clock'>,
  tx: AgentsTx,
  { owner, device, clientId }: { owner: Address; device: string; clientId: string },
): Promise<string[]> {
  const links = await spendersOfTrust(tx, { owner, device, since: new Date(clock.now() - DAY_MS) })
  const ending = links.flatMap(({ state, allowance_usd }) => (state === 'ending' ? allowance_usd : []))
  const asked = links.filter(({ state, may_have_key }) => state !== 'ending' && may_have_key)
  const spent: string[] = []
  for (let first = 0; first < asked.length; first += ASKED_AT_ONCE) {
    const page = asked.slice(first, first + ASKED_AT_ONCE)
    const answer = await call(router.spentToday, { owner, linkIds: page.map(({ id }) => id) })
    if (isRefusal(answer)) throw new Error(`the Router says nothing of links: ${answer.refusal}`)
    const { spentUsd, heldUsd = {} } = answer
    for (const { id, state, client_id, allowance_usd } of page) {
      const isReplaced = state === 'live' && client_id === clientId
      const isCounted = state !== 'over' && !isReplaced
      spent.push(usdBeyond(isCounted ? allowance_usd : '0', [spentUsd[id] ?? '0', heldUsd[id] ?? '0']))
    }
  }
  return [...ending, ...spent]
}
