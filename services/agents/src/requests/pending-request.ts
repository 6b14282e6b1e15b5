import { type DeviceGrant, type LinkRequest, oauth, type Requester } from '@callboard/contract'
import { type Address, isoTime, isRefusal, refuse } from '@callboard/values'
import type { AgentsCallingContext } from '../context.ts'
import { plainUsd } from '../domain/usd.ts'
import { trustOf } from '../store/device-trust.repository.ts'
import { liveLink, othersLinked } from '../store/link.repository.ts'
import { requestOfGrant } from '../store/link-request.repository.ts'
import type { LinkRequestTable } from '../store/tables.ts'
import { countCode, USER_CODES } from './wrong-codes.ts'

/** A request that an owner can decide. */
export interface Pending {
  readonly grant: DeviceGrant
  readonly request: LinkRequestTable
}

interface Tried {
  readonly userCode: string
  readonly owner: Address
  readonly requester: Requester
}

/** @refuses not_found for a code that is unknown, used or expired · rate_limited after too many of them */
export async function pendingRequest(ctx: AgentsCallingContext, { userCode, owner, requester }: Tried) {
  // Looking a code up is made costly on purpose, so none is once too many were wrong.
  const over = await countCode(ctx, USER_CODES, { owner, requester, right: true })
  if (over) return over
  const pending = await behind(ctx, userCode)
  const limited = await countCode(ctx, USER_CODES, { owner, requester, right: pending !== undefined })
  return limited ?? pending ?? refuse('not_found')
}

async function behind(ctx: AgentsCallingContext, userCode: string): Promise<Pending | undefined> {
  const grant = await ctx.call(oauth.findGrant, { userCode })
  if (isRefusal(grant) || grant.state !== 'pending') return undefined
  const request = await requestOfGrant(ctx.db, grant.grantId)
  return request && { grant, request }
}

/** A request in the form shown to an owner. */
export async function shownRequest(
  ctx: AgentsCallingContext,
  { grant, request }: Pending,
  { userCode, owner }: Pick<Tried, 'userCode' | 'owner'>,
): Promise<LinkRequest> {
  const { wallet, label, device, address, user_agent: userAgent, suggested_allowance_usd: suggested } = request
  const replaced = await liveLink(ctx.db, owner, grant.clientId)
  const trust = device === null ? undefined : await trustOf(ctx.db, owner, device)
  return {
    userCode,
    proven: { wallet },
    claimed: { label, device },
    seen: { requester: { address, userAgent }, askedAt: isoTime(request.asked_at.getTime()) },
    expiresAt: grant.expiresAt,
    scopes: grant.scopes,
    suggestedAllowanceUsd: suggested === null ? null : Number(suggested),
    asksForTrust: request.asks_for_trust,
    trusted: trust ? { allowanceUsd: plainUsd(trust.allowance_usd) } : null,
    replaces: replaced ? { label: replaced.label, linkedAt: isoTime(replaced.linked_at.getTime()) } : null,
    linked: await othersLinked(ctx.db, owner, wallet),
  }
}
