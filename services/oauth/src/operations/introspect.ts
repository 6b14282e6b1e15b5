import type { Caller, oauth } from '@callboard/contract'
import { isoTime, MINUTE_MS } from '@callboard/values'
import { hashSecret } from '../domain/credential.ts'
import { sessionEnd } from '../domain/session-life.ts'
import type { OauthHandler, OauthKit } from '../kit.ts'
import { epochKey, showEpoch } from '../revocation.ts'
import { findKey, touchKey } from '../store/api-key.repository.ts'
import { findSession, touchSession } from '../store/session.repository.ts'

type Known = { caller: Exclude<Caller, { kind: 'anonymous' }>; epoch: number; endsInMs: number } | undefined

export const introspect: OauthHandler<typeof oauth.introspect> = async ({ credential, kind }, ctx) => {
  const hash = hashSecret(credential)
  const known = kind === 'session' ? await knownSession(ctx, hash) : await knownKey(ctx, hash)
  if (!known) return { active: false }
  // Where the counter cannot be shown, the answer is right now but must not be kept.
  const shown = await showEpoch(ctx, known.caller.owner, known.epoch).catch(() => undefined)
  const cacheMs = shown === known.epoch ? Math.min(ctx.config.INTROSPECTION_CACHE_MS, known.endsInMs) : 0
  return { active: true, caller: known.caller, epochKey: epochKey(known.caller.owner), epoch: known.epoch, cacheMs }
}

async function knownSession(ctx: OauthKit, hash: string): Promise<Known> {
  const session = await findSession(ctx.db, hash)
  if (!session) return undefined
  const now = ctx.clock.now()
  const end = sessionEnd(session, ctx.config)
  if (end <= now) return undefined
  await touchSession(ctx.db, session.id, new Date(now), new Date(now - MINUTE_MS))
  const caller = { kind: 'session' as const, owner: session.owner, sessionId: session.id, expiresAt: isoTime(end) }
  return { caller, epoch: session.epoch, endsInMs: end - now }
}

async function knownKey(ctx: OauthKit, hash: string): Promise<Known> {
  const key = await findKey(ctx.db, hash)
  if (!key) return undefined
  const now = ctx.clock.now()
  await touchKey(ctx.db, key.id, new Date(now), new Date(now - MINUTE_MS))
  return {
    caller: { kind: 'api_key', owner: key.owner, keyId: key.id },
    epoch: key.epoch,
    endsInMs: Number.MAX_SAFE_INTEGER,
  }
}
