import { type InputOf, type oauth, type RefusalOf, type TokenAnswer, WITH_TOKENS } from '@callboard/contract'
import { open } from '@callboard/sealing'
import { isRefusal, refuse } from '@callboard/values'
import type { Client } from '../clients/client-authentication.ts'
import type { OauthContext } from '../context.ts'
import { hashSecret } from '../domain/credential.ts'
import { poll, TOLERANCE_MS } from '../domain/polling.ts'
import { grantFailpoints } from '../failpoints.ts'
import {
  changeGrant,
  lockGrantByDeviceCode,
  notePoll,
  notePollOnTime,
  type PolledGrant,
  pollByDeviceCode,
} from '../store/device-grant.repository.ts'
import { familyById } from '../store/family.repository.ts'
import type { DeviceGrantTable, OauthTx } from '../store/tables.ts'
import { issueTokens } from '../tokens/issue-tokens.ts'

type Answer = TokenAnswer | RefusalOf<typeof oauth.token>

/**
 * RFC 8628 §3.4 and §3.5: issues tokens once, to the client that holds the device code; until then, says why not yet.
 * Only an undecided grant makes a client wait: a decision is returned at once.
 */
export async function redeemDeviceCode(
  ctx: OauthContext,
  { device_code: deviceCode }: InputOf<typeof oauth.token>,
  client: Client,
): Promise<Answer> {
  if (!deviceCode) return refuse('invalid_request', { field: 'device_code', message: 'device_code is required' })
  const hash = hashSecret(deviceCode)
  const of = { deviceCodeHash: hash, clientId: client.id }
  if (await notePollOnTime(ctx.db, of, new Date(ctx.clock.now()), TOLERANCE_MS)) return refuse('authorization_pending')
  // No lock before a decision; a poll that finds the grant changed in between reads it again.
  for (;;) {
    const grant = usable(ctx, await pollByDeviceCode(ctx.db, hash), client)
    if (isRefusal(grant)) return grant
    const answer = grant.state === 'pending' ? await waitOn(ctx, grant) : await redeem(ctx, client, deviceCode)
    if (answer) return answer
  }
}

/** A grant that is undecided or approved, or the reason why it can no longer be used. */
function usable<Grant extends PolledGrant>(ctx: OauthContext, grant: Grant | undefined, client: Client) {
  if (!grant || grant.client_id !== client.id) return refuse('invalid_grant')
  if (grant.state === 'redeemed') {
    ctx.log.warn({ grantId: grant.id }, 'a redeemed device code was presented again')
    return refuse('invalid_grant')
  }
  if (grant.expires_at.getTime() <= ctx.clock.now()) return refuse('expired_token')
  return grant.state === 'denied' ? refuse('access_denied') : grant
}

async function waitOn(ctx: OauthContext, grant: PolledGrant): Promise<Answer | undefined> {
  const before = { polledAt: grant.polled_at?.getTime() ?? null, intervalSeconds: grant.interval_seconds }
  const { tooEarly, polledAt, intervalSeconds } = poll(before, ctx.clock.now())
  const polled = { polled_at: polledAt === null ? null : new Date(polledAt), interval_seconds: intervalSeconds }
  if (!(await notePoll(ctx.db, grant, polled))) return undefined
  return tooEarly ? refuse('slow_down', { details: { interval: intervalSeconds } }) : refuse('authorization_pending')
}

async function redeem(ctx: OauthContext, client: Client, deviceCode: string): Promise<Answer> {
  const answer = await ctx.db.transaction().execute(async (tx) => {
    const grant = usable(ctx, await lockGrantByDeviceCode(tx, hashSecret(deviceCode)), client)
    return isRefusal(grant) ? grant : tokensOf(ctx, tx, grant, deviceCode)
  })
  grantFailpoints.hit('committed')
  return answer
}

async function tokensOf(ctx: OauthContext, tx: OauthTx, grant: DeviceGrantTable, deviceCode: string): Promise<Answer> {
  const family = grant.family_id ? await familyById(tx, grant.family_id) : undefined
  if (!family || family.revoked_at) return refuse('invalid_grant')
  const tokens = await issueTokens(ctx, tx, family)
  const sealed = grant.sealed ? await open(deviceCode, WITH_TOKENS, grant.sealed) : undefined
  await changeGrant(tx, grant.id, { state: 'redeemed', sealed: null })
  grantFailpoints.hit('written')
  return {
    ...tokens,
    ...(sealed ? (JSON.parse(sealed) as Pick<TokenAnswer, 'router_key' | 'router_base_url'>) : {}),
    ...(grant.router_unavailable ? { router_key_error: 'router_unavailable' as const } : {}),
  }
}
