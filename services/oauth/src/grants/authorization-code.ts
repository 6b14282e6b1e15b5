import type { InputOf, oauth, RefusalOf, TokenAnswer } from '@callboard/contract'
import { isRefusal, refuse } from '@callboard/values'
import type { Client } from '../clients/client-authentication.ts'
import { endLeastUsedGrants } from '../clients/client-grants.ts'
import type { OauthContext } from '../context.ts'
import { hashSecret } from '../domain/credential.ts'
import { proves } from '../domain/pkce.ts'
import { lockCode, redeemCode } from '../store/authorization-code.repository.ts'
import { endFamilies, insertFamily } from '../store/family.repository.ts'
import type { AuthorizationCodeTable, OauthTx } from '../store/tables.ts'
import { issueTokens } from '../tokens/issue-tokens.ts'
import { narrowed } from '../tokens/resources.ts'
import { showEnded } from '../tokens/revocation.ts'

type Answer = TokenAnswer | RefusalOf<typeof oauth.token>
type Input = InputOf<typeof oauth.token>

/**
 * RFC 6749 §4.1.3 with PKCE: issues tokens once, to the client that can prove the code's challenge. A faulty request
 * changes nothing, so someone who merely saw a code can neither use it nor invalidate it. If a redeemed code comes
 * again with a valid proof, more than one party has it: the tokens made from it end.
 */
export async function redeemAuthorizationCode(ctx: OauthContext, input: Input, client: Client): Promise<Answer> {
  const { code, code_verifier: verifier } = input
  if (!code) return refuse('invalid_request', { field: 'code', message: 'code is required' })
  if (!verifier) return refuse('invalid_request', { field: 'code_verifier', message: 'code_verifier is required' })
  const outcome = await ctx.db.transaction().execute(async (tx) => {
    const row = await lockCode(tx, hashSecret(code))
    if (!row || row.client_id !== client.id) return refuse('invalid_grant')
    // OAuth 2.1 §4.1.3: the proof binds the request, so the redirect URI may be omitted but must not differ.
    if ((input.redirect_uri ?? row.redirect_uri) !== row.redirect_uri) return refuse('invalid_grant')
    if (!proves(verifier, row.code_challenge)) return refuse('invalid_grant')
    if (row.family_id) return endReplayed(ctx, tx, row.family_id)
    return row.expires_at.getTime() <= ctx.clock.now()
      ? refuse('invalid_grant')
      : redeem(ctx, tx, row, { ...input, client })
  })
  if (!('ended' in outcome)) {
    if (!isRefusal(outcome)) await endLeastUsedGrants(ctx, outcome.owner_wallet)
    return outcome
  }
  ctx.log.warn({ familyId: outcome.ended }, 'a redeemed authorization code was presented: its tokens are ended')
  await showEnded(ctx, [outcome.ended])
  return refuse('invalid_grant')
}

async function endReplayed(ctx: OauthContext, tx: OauthTx, familyId: string): Promise<{ readonly ended: string }> {
  await endFamilies(tx, [familyId], new Date(ctx.clock.now()), 'reuse')
  return { ended: familyId }
}

async function redeem(
  ctx: OauthContext,
  tx: OauthTx,
  { code_hash, redirect_uri, client_id, owner, scopes, audience, refreshes }: AuthorizationCodeTable,
  { resource, client }: Pick<Input, 'resource'> & { readonly client: Client },
): Promise<Answer> {
  const target = narrowed(resource, audience, ctx.config)
  if (target === undefined) return refuse('invalid_target')
  const created_at = new Date(ctx.clock.now())
  const family = { id: ctx.newId(), client_id, owner, scopes, audience, redirect_uri, created_at }
  await insertFamily(tx, family)
  await redeemCode(tx, code_hash, family.id)
  const accessOnly = !(refreshes && client.grants.includes('refresh_token'))
  return issueTokens(ctx, tx, family, { audience: target, accessOnly })
}
