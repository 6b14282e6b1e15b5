import type { oauth, Scope } from '@callboard/contract'
import { refuse, SECOND_MS } from '@callboard/values'
import { newCredential } from '../domain/credential.ts'
import type { OauthHandler } from '../kit.ts'
import { wholeService } from '../resources.ts'
import { openFamilyOfSession } from '../store/family.repository.ts'
import { insertAccessToken } from '../store/token.repository.ts'

const LIFE_S = 600
const SCOPE: Scope = 'call.publish'

/** The token ends with its session at the latest: the family is the session's. */
export const consoleToken: OauthHandler<typeof oauth.consoleToken> = async (_input, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const { owner, sessionId } = ctx.caller
  const now = ctx.clock.now()
  const audience = wholeService(ctx.config)
  const { secret, hash } = newCredential('access')
  await ctx.db.transaction().execute(async (tx) => {
    const familyId = await openFamilyOfSession(tx, { sessionId, owner, scopes: [SCOPE], audience, now: new Date(now) })
    await insertAccessToken(tx, {
      token_hash: hash,
      family_id: familyId,
      scopes: [SCOPE],
      audience,
      expires_at: new Date(now + LIFE_S * SECOND_MS),
    })
  })
  return { access_token: secret, token_type: 'Bearer', expires_in: LIFE_S, scope: SCOPE }
}
