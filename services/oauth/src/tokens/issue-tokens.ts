import type { Scope, TokenAnswer } from '@callboard/contract'
import { DAY_MS, SECOND_MS } from '@callboard/values'
import type { OauthContext } from '../context.ts'
import { newCredential } from '../domain/credential.ts'
import { grantFailpoints } from '../failpoints.ts'
import type { OauthTx, TokenFamilyTable } from '../store/tables.ts'
import { insertAccessToken, insertRefreshToken } from '../store/token.repository.ts'

/** How an access token is narrower than its family. The refresh token keeps the family's full extent. */
export interface Narrowed {
  readonly scopes?: readonly Scope[]
  readonly audience?: string
  /** Issues no refresh token. */
  readonly accessOnly?: boolean
}

/** Issues a new pair of tokens for a family. */
export async function issueTokens(
  ctx: Pick<OauthContext, 'config' | 'clock'>,
  tx: OauthTx,
  family: Pick<TokenFamilyTable, 'id' | 'owner' | 'scopes' | 'audience' | 'created_at'>,
  { scopes = family.scopes, audience = family.audience, accessOnly = false }: Narrowed = {},
): Promise<TokenAnswer> {
  const { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_DAYS, LINK_MAX_DAYS } = ctx.config
  const now = ctx.clock.now()
  const familyEnd = family.created_at.getTime() + LINK_MAX_DAYS * DAY_MS
  const accessEnd = Math.min(now + ACCESS_TOKEN_SECONDS * SECOND_MS, familyEnd)
  const access = newCredential('access')
  const refresh = accessOnly ? undefined : newCredential('refresh')
  await insertAccessToken(tx, {
    token_hash: access.hash,
    family_id: family.id,
    scopes: [...scopes],
    audience,
    expires_at: new Date(accessEnd),
  })
  if (refresh) {
    await insertRefreshToken(tx, {
      token_hash: refresh.hash,
      family_id: family.id,
      issued_at: new Date(now),
      expires_at: new Date(Math.min(now + REFRESH_TOKEN_DAYS * DAY_MS, familyEnd)),
    })
  }
  grantFailpoints.hit('issued')
  return {
    access_token: access.secret,
    token_type: 'Bearer',
    expires_in: Math.max(1, Math.floor((accessEnd - now) / SECOND_MS)),
    ...(refresh ? { refresh_token: refresh.secret } : {}),
    scope: scopes.join(' '),
    owner_wallet: family.owner,
  }
}
