import {
  agentClientId,
  type agents,
  DEFAULT_SCOPES,
  DEVICE_CODE_LIFETIME_S,
  type InputOf,
  oauth,
  readScopes,
  type Scope,
} from '@callboard/contract'
import { unlessUnavailable } from '@callboard/runtime'
import { type Address, isRefusal, refuse, SECOND_MS } from '@callboard/values'
import type { AgentsCallingContext, AgentsHandler } from '../context.ts'
import { proveWallet } from '../requests/agent-proof.ts'
import { approveAutomatically } from '../requests/approve-automatically.ts'
import { insertRequest } from '../store/link-request.repository.ts'

/** Cheap checks come first: a signature costs milliseconds, and a nonce is spent whatever follows. */
export const deviceAuthorization: AgentsHandler<typeof agents.deviceAuthorization> = async (input, ctx) => {
  const scopes = input.scope === undefined ? DEFAULT_SCOPES : readScopes(input.scope)
  if (!scopes) return refuse('invalid_scope', { field: 'scope' })
  if (input.trust_device && input.device === undefined) {
    return refuse('invalid_request', { field: 'device', message: 'trust_device needs a device' })
  }
  const proof = await proveWallet(ctx, input.agent_message, input.agent_signature)
  if (isRefusal(proof)) return proof
  const clientId = agentClientId(proof.wallet)
  if (input.client_id && input.client_id !== clientId) {
    return refuse('invalid_request', { field: 'client_id', message: `The client_id of this wallet is ${clientId}` })
  }
  const asked = scopes.length > 0 ? scopes : DEFAULT_SCOPES
  const begun = await unlessUnavailable(ctx, 'authorization server', () => begin(ctx, input, proof.wallet, asked))
  if (isRefusal(begun)) return begun
  const { deviceCode, userCode, intervalSeconds, request } = begun
  const page = new URL('/link', ctx.config.BASE_URL)
  const approved = await approveAutomatically(ctx, ctx.caller, request)
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: page.href,
    verification_uri_complete: `${page.href}?user_code=${userCode}`,
    expires_in: DEVICE_CODE_LIFETIME_S,
    interval: intervalSeconds,
    client_id: clientId,
    ...(approved ? { auto_approved: true as const } : {}),
  }
}

/** Creates a pending grant and records what its agent said. */
async function begin(
  ctx: AgentsCallingContext,
  input: InputOf<typeof agents.deviceAuthorization>,
  wallet: Address,
  scopes: readonly Scope[],
) {
  const created = await ctx.call(oauth.createGrant, { clientId: agentClientId(wallet), scopes: [...scopes] })
  if (isRefusal(created)) return created
  const { grantId, deviceCode, userCode, intervalSeconds } = created
  const now = ctx.clock.now()
  const request = {
    grant_id: grantId,
    wallet,
    label: input.label,
    device: input.device ?? null,
    asks_for_trust: input.trust_device ?? false,
    suggested_allowance_usd: input.router_allowance_usd?.toFixed(2) ?? null,
    address: input.requester.address,
    user_agent: input.requester.userAgent,
    asked_at: new Date(now),
    expires_at: new Date(now + DEVICE_CODE_LIFETIME_S * SECOND_MS),
  }
  await insertRequest(ctx.db, request)
  return { deviceCode, userCode, intervalSeconds, request }
}
