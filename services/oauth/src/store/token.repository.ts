import { statement } from '@callboard/store'
import type { AccessTokenTable, OauthDb, OauthTx, RefreshTokenTable, TokenFamilyTable } from './tables.ts'

export const insertAccessToken = (tx: OauthTx, token: AccessTokenTable) =>
  tx.insertInto('access_token').values(token).execute()

export const insertRefreshToken = (
  tx: OauthTx,
  token: Pick<RefreshTokenTable, 'token_hash' | 'family_id' | 'issued_at' | 'expires_at'>,
) =>
  tx
    .insertInto('refresh_token')
    .values({ ...token, used_at: null, answer: null })
    .execute()

export type FoundToken = Pick<AccessTokenTable, 'scopes' | 'audience' | 'expires_at' | 'family_id'> &
  Pick<TokenFamilyTable, 'client_id' | 'owner' | 'last_used_at'>

/** Access tokens of live families, with those families. Raw SQL, as this is the most frequent read of all. */
export async function findAccessTokens(db: OauthDb, tokenHashes: readonly string[]) {
  const { rows } = await statement<FoundToken & { readonly hash: string }>`
    select token_hash as hash, access_token.scopes, access_token.audience, access_token.expires_at,
           access_token.family_id, token_family.client_id, token_family.owner, token_family.last_used_at
      from access_token
      join token_family on token_family.id = access_token.family_id
     where token_hash = any(${tokenHashes}) and revoked_at is null`.execute(db)
  return rows
}

/** Locked: of two concurrent refreshes, the second sees the token used. */
export const lockRefreshToken = (tx: OauthTx, tokenHash: string) =>
  tx.selectFrom('refresh_token').selectAll().where('token_hash', '=', tokenHash).forUpdate().executeTakeFirst()

/** @param answer what is answered, readable only with the token */
export const useRefreshToken = (tx: OauthTx, tokenHash: string, usedAt: Date, answer: string) =>
  tx.updateTable('refresh_token').set({ used_at: usedAt, answer }).where('token_hash', '=', tokenHash).execute()

/** The family of a token of either kind; undefined for an unknown token. */
export async function familyOfToken(db: OauthDb, tokenHash: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('access_token')
    .select('family_id')
    .where('token_hash', '=', tokenHash)
    .unionAll(db.selectFrom('refresh_token').select('family_id').where('token_hash', '=', tokenHash))
    .executeTakeFirst()
  return found?.family_id
}

/** Removes tokens that ended before a given time. */
export async function sweepTokens(db: OauthDb, endedBefore: Date): Promise<void> {
  await db.deleteFrom('access_token').where('expires_at', '<', endedBefore).execute()
  await db.deleteFrom('refresh_token').where('expires_at', '<', endedBefore).execute()
}
