import type { oauth } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import { clientOf } from '../clients/client-authentication.ts'
import type { OauthHandler } from '../context.ts'
import { hashSecret } from '../domain/credential.ts'
import { familyById } from '../store/family.repository.ts'
import { familyOfToken } from '../store/token.repository.ts'
import { endByToken } from '../tokens/end-by-token.ts'
import { showEnded } from '../tokens/revocation.ts'

/** RFC 7009: a token that is unknown, or another client's, counts as revoked. Its type is found without the hint. */
export const revoke: OauthHandler<typeof oauth.revoke> = async (input, ctx) => {
  const client = input.client_id ? await clientOf(ctx, input) : undefined
  if (isRefusal(client)) return client
  const familyId = await familyOfToken(ctx.db, hashSecret(input.token))
  const family = familyId && (await familyById(ctx.db, familyId))
  if (!family || (client && client.id !== family.client_id)) return {}
  await ctx.db.transaction().execute((tx) => endByToken(ctx, tx, family, 'revoked'))
  await showEnded(ctx, [family.id])
  return {}
}
