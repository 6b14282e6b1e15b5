import type { Caller } from '@callboard/contract'
import { oauth } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import { isAway } from '../away.ts'
import { covers } from '../domain/terms.ts'
import type { AgentCaller, AgentsContext } from '../kit.ts'
import { approve } from '../links/approve.ts'
import { trustOf } from '../store/device-trust.repository.ts'
import { linkById } from '../store/link.repository.ts'
import type { AgentsTx, LinkRequestTable } from '../store/tables.ts'

/**
 * Approves a request without asking the owner, when an agent that lives on a device which they trust asks for one more on
 * the same device, within what it may itself and what was trusted. Any miss leaves the request to the owner.
 * @returns whether it is approved
 */
export async function approveAutomatically(
  ctx: AgentsContext,
  caller: Caller,
  request: LinkRequestTable,
): Promise<boolean> {
  if (!request.asks_for_trust || caller.kind !== 'agent') return false
  try {
    return await approveOnTrust(ctx, caller, request)
  } catch (error) {
    if (!isAway(error)) throw error
    ctx.log.warn({ err: error, grantId: request.grant_id }, 'a request is not approved automatically now')
    return false
  }
}

async function approveOnTrust(ctx: AgentsContext, caller: AgentCaller, request: LinkRequestTable): Promise<boolean> {
  const grant = await ctx.call(oauth.findGrant, { grantId: request.grant_id })
  if (isRefusal(grant)) return false
  const { scopes } = grant
  const suggested = request.suggested_allowance_usd
  const asked = { scopes, allowanceUsd: suggested === null ? undefined : Number(suggested) }
  const approved = await approve(ctx, {
    ...{ grant, request, scopes, owner: caller.owner, trustsDevice: false },
    allowanceUsd: scopes.includes('router.use') ? (asked.allowanceUsd ?? 0) : 0,
    isCovered: async (tx) => {
      const trusted = await trustedTerms(tx, caller, request.device)
      return trusted !== undefined && covers(trusted, asked)
    },
  })
  return !isRefusal(approved)
}

/** What the owner grants on a device without being asked, as far as an agent of that device may ask for it. */
async function trustedTerms(tx: AgentsTx, { linkId, owner, scopes }: AgentCaller, device: string | null) {
  const link = await linkById(tx, linkId)
  if (device === null || link?.state !== 'live' || link.owner !== owner || link.device !== device) return undefined
  const trust = await trustOf(tx, owner, device)
  if (!trust) return undefined
  return {
    scopes: trust.scopes.filter((scope) => scopes.includes(scope)),
    allowanceUsd: Number(trust.allowance_usd),
  }
}
