import { isWithin, needsFreshSignature, type oauth } from '@callboard/contract'
import { isRefusal, MINUTE_MS, refuse } from '@callboard/values'
import { readRequest } from '../authorization.ts'
import { newCredential } from '../domain/credential.ts'
import type { OauthHandler } from '../kit.ts'
import { insertCode } from '../store/authorization-code.repository.ts'

/** RFC 6749 §4.1.2 asks for a short life; a client redeems within seconds. */
const CODE_LIFETIME_MS = MINUTE_MS

const DENIED = { error: 'access_denied', error_description: 'The owner denied the request.' } as const

export const decideAuthorization: OauthHandler<typeof oauth.decideAuthorization> = async ({ query, decision }, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const read = await readRequest(ctx, query)
  if (isRefusal(read)) return read
  const { client, redirectUri, asked, answer } = read
  if ('error' in asked) return { redirectTo: answer(asked) }
  if (decision.verdict === 'deny') return { redirectTo: answer(DENIED) }
  const scopes = [...new Set(decision.scopes)]
  if (!isWithin(scopes, asked.scopes)) return refuse('invalid_scope')
  if (needsFreshSignature(ctx.caller, { scopes }, ctx.clock.now())) return refuse('fresh_signature_required')
  const { secret, hash } = newCredential('code')
  await insertCode(ctx.db, {
    code_hash: hash,
    client_id: client.id,
    owner: ctx.caller.owner,
    redirect_uri: redirectUri,
    code_challenge: asked.challenge,
    scopes,
    audience: asked.audience,
    expires_at: new Date(ctx.clock.now() + CODE_LIFETIME_MS),
  })
  return { redirectTo: answer({ code: secret }) }
}
