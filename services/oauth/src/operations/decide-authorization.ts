import { isWithin, oauth, refuseStaleSignature } from '@callboard/contract'
import { isRefusal, MINUTE_MS, refuse } from '@callboard/values'
import { isAllowed, readRequest } from '../authorization/read-request.ts'
import type { OauthHandler } from '../context.ts'
import { newCredential } from '../domain/credential.ts'
import { targetOf } from '../domain/redirect-uri.ts'
import { insertCode } from '../store/authorization-code.repository.ts'
import { holdSession } from '../store/session.repository.ts'

/** RFC 6749 §4.1.2 asks for a short lifetime; clients redeem within seconds. */
const CODE_LIFETIME_MS = MINUTE_MS

const DENIED = { error: 'access_denied', error_description: 'The owner denied the request.' } as const

/** A request that names no redirect URI goes to the only registered one, which a client may change at any time. */
const MOVED = {
  field: 'redirect_uri',
  message: 'The program has changed where its answers go since you were shown this request.',
} as const

export const decideAuthorization: OauthHandler<typeof oauth.decideAuthorization> = async ({ query, decision }, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const read = await readRequest(ctx, query)
  if (isRefusal(read)) return read
  const { client, redirectUri, asked, answer } = read
  const redirect = targetOf(redirectUri)
  const about = {
    redirect,
    allowedBefore: await isAllowed(ctx, ctx.caller.owner, client.id),
  }
  if ('error' in asked) return { redirectTo: answer(asked), granted: false, ...about }
  if (decision.verdict === 'deny') return { redirectTo: answer(DENIED), granted: false, ...about }
  if ((decision.formAction ?? redirect.formAction) !== redirect.formAction) return refuse('invalid_request', MOVED)
  const scopes = [...new Set(decision.scopes)]
  if (!isWithin(scopes, asked.scopes)) return refuse('invalid_scope')
  const stale = refuseStaleSignature(oauth.decideAuthorization, ctx.caller, ctx.clock.now(), { scopes })
  if (stale) return stale
  const { owner, sessionId } = ctx.caller
  const { secret, hash } = newCredential('code')
  const isGiven = await ctx.db.transaction().execute(async (tx) => {
    if (!(await holdSession(tx, { owner, sessionId }))) return false
    await insertCode(tx, {
      code_hash: hash,
      client_id: client.id,
      owner,
      redirect_uri: redirectUri,
      code_challenge: asked.challenge,
      scopes,
      audience: asked.audience,
      refreshes: decision.refreshes !== false && client.metadata.grant_types.includes('refresh_token'),
      expires_at: new Date(ctx.clock.now() + CODE_LIFETIME_MS),
    })
    return true
  })
  if (!isGiven) return refuse('unauthorized')
  return { redirectTo: answer({ code: secret }), granted: true, ...about }
}
