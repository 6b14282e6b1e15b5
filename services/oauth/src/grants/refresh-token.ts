import { type InputOf, isWithin, type oauth, type RefusalOf, readScopes, type TokenAnswer } from '@callboard/contract'
import { open, seal, sealingKeyOf } from '@callboard/sealing'
import { refuse, SECOND_MS } from '@callboard/values'
import type { Client } from '../clients/client-authentication.ts'
import type { OauthContext } from '../context.ts'
import { hashSecret } from '../domain/credential.ts'
import { grantFailpoints } from '../failpoints.ts'
import { familyById } from '../store/family.repository.ts'
import type { OauthTx, RefreshTokenTable, TokenFamilyTable } from '../store/tables.ts'
import { lockRefreshToken, useRefreshToken } from '../store/token.repository.ts'
import { endByToken } from '../tokens/end-by-token.ts'
import { issueTokens } from '../tokens/issue-tokens.ts'
import { narrowed } from '../tokens/resources.ts'
import { showEnded } from '../tokens/revocation.ts'
import { countRefresh } from './refresh-rates.ts'

type Answer = TokenAnswer | RefusalOf<typeof oauth.token>

const REPEATED = 'callboard refresh'

/**
 * RFC 6749 §6 with rotation (RFC 9700 §4.14.2): each use ends the token and issues its successor. If a used token comes
 * again, it gets the same answer for a short time, in case that was lost; later, or once its successor was used, it
 * counts as stolen, and its whole family ends.
 */
export async function refresh(ctx: OauthContext, input: InputOf<typeof oauth.token>, client: Client): Promise<Answer> {
  const { refresh_token: token } = input
  if (!token) return refuse('invalid_request', { field: 'refresh_token', message: 'refresh_token is required' })
  const tokenHash = hashSecret(token)
  const outcome = await ctx.db.transaction().execute(async (tx) => {
    const row = await lockRefreshToken(tx, tokenHash)
    const family = row && (await familyById(tx, row.family_id))
    if (!family || family.client_id !== client.id) return refuse('invalid_grant')
    // Its end may not have been shown to the gateways if the counters were unavailable.
    if (family.revoked_at) return { ended: family.id }
    if (row.expires_at.getTime() <= ctx.clock.now()) return refuse('invalid_grant')
    if (row.used_at) return repeat(ctx, tx, family, { ...row, token })
    return rotate(ctx, tx, family, { ...input, token, client })
  })
  grantFailpoints.hit('committed')
  if (!('ended' in outcome)) return outcome
  await showEnded(ctx, [outcome.ended])
  return refuse('invalid_grant')
}

interface Presented {
  readonly token: string
  readonly client: Client
}

async function rotate(
  ctx: OauthContext,
  tx: OauthTx,
  family: TokenFamilyTable,
  {
    scope,
    resource,
    requester,
    token,
    client,
  }: Pick<InputOf<typeof oauth.token>, 'scope' | 'resource' | 'requester'> & Presented,
): Promise<Answer> {
  const scopes = scope === undefined ? family.scopes : readScopes(scope)
  if (!scopes || scopes.length === 0 || !isWithin(scopes, family.scopes)) return refuse('invalid_scope')
  const audience = client.narrows ? narrowed(resource, family.audience, ctx.config) : family.audience
  if (audience === undefined) return refuse('invalid_target')
  const limited = await countRefresh(ctx, family.id, requester)
  if (limited) return limited
  const answer = await issueTokens(ctx, tx, family, { scopes, audience })
  const sealed = await seal(await sealingKeyOf(token), REPEATED, JSON.stringify(answer))
  await useRefreshToken(tx, hashSecret(token), new Date(ctx.clock.now()), sealed)
  grantFailpoints.hit('written')
  return answer
}

async function repeat(
  ctx: OauthContext,
  tx: OauthTx,
  family: TokenFamilyTable,
  { used_at, answer, token }: RefreshTokenTable & Pick<Presented, 'token'>,
): Promise<TokenAnswer | { readonly ended: string }> {
  const usedAgo = ctx.clock.now() - (used_at?.getTime() ?? 0)
  const before = answer && usedAgo <= ctx.config.REFRESH_REPEAT_SECONDS * SECOND_MS
  const same = before ? (JSON.parse(await open(token, REPEATED, answer)) as TokenAnswer) : undefined
  const successor = same?.refresh_token && (await lockRefreshToken(tx, hashSecret(same.refresh_token)))
  if (same && successor && !successor.used_at) return same
  ctx.log.warn({ familyId: family.id }, 'a used refresh token was presented: its family is ended')
  await endByToken(ctx, tx, family, 'reuse')
  return { ended: family.id }
}
