import { oauth, refuseStaleSignature, type Scope } from '@callboard/contract'
import { refuse, SECOND_MS } from '@callboard/values'
import type { OauthHandler } from '../context.ts'
import { newCredential } from '../domain/credential.ts'
import { openFamilyOfSession } from '../store/family.repository.ts'
import { holdSession } from '../store/session.repository.ts'
import { insertAccessToken } from '../store/token.repository.ts'
import { wholeService } from '../tokens/resources.ts'

const LIFE_S = 600
const SCOPE: Scope = 'call.publish'

/** The token ends with its session at the latest, as its family is the session's. */
export const consoleToken: OauthHandler<typeof oauth.consoleToken> = async (_input, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const { owner, sessionId } = ctx.caller
  const now = ctx.clock.now()
  const stale = refuseStaleSignature(oauth.consoleToken, ctx.caller, now)
  if (stale) return stale
  const audience = wholeService(ctx.config)
  const { secret, hash } = newCredential('access')
  const isGiven = await ctx.db.transaction().execute(async (tx) => {
    if (!(await holdSession(tx, { owner, sessionId }))) return false
    const familyId = await openFamilyOfSession(tx, { sessionId, owner, scopes: [SCOPE], audience, now: new Date(now) })
    await insertAccessToken(tx, {
      token_hash: hash,
      family_id: familyId,
      scopes: [SCOPE],
      audience,
      expires_at: new Date(now + LIFE_S * SECOND_MS),
    })
    return true
  })
  if (!isGiven) return refuse('unauthorized')
  return { access_token: secret, token_type: 'Bearer', expires_in: LIFE_S, scope: SCOPE }
}
