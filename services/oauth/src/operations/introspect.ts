import type { Caller, oauth } from '@callboard/contract'
import { AgentClientId } from '@callboard/contract'
import { isoTime, MINUTE_MS } from '@callboard/values'
import type { OauthContext, OauthHandler } from '../context.ts'
import { hashSecret, isOfKind } from '../domain/credential.ts'
import { sessionEnd } from '../domain/session-life.ts'
import { touchKey } from '../store/api-key.repository.ts'
import { touchFamily } from '../store/family.repository.ts'
import { touchSession } from '../store/session.repository.ts'
import { epochKey, familyKey } from '../tokens/revocation.ts'

interface Known {
  readonly caller: Exclude<Caller, { kind: 'anonymous' }>
  readonly epochKey: string
  readonly epoch: number
  readonly endsInMs: number
}

export const introspect: OauthHandler<typeof oauth.introspect> = async ({ credential, kind }, ctx) => {
  const known = await knownBy(ctx, credential, kind)
  if (!known) return { active: false }
  // If the counter cannot be shown, the answer is valid now but must not be cached.
  const shown = await ctx.resources.shownEpochs.show(ctx, known.epochKey, known.epoch).catch(() => undefined)
  const { endsInMs, ...answer } = known
  const cacheMs = shown === known.epoch ? Math.min(ctx.config.INTROSPECTION_CACHE_MS, endsInMs) : 0
  return { active: true, ...answer, cacheMs }
}

function knownBy(ctx: OauthContext, credential: string, kind: 'bearer' | 'session'): Promise<Known | undefined> {
  const hash = hashSecret(credential)
  if (kind === 'session') return knownSession(ctx, hash)
  return isOfKind(credential, 'access') ? knownToken(ctx, hash) : knownKey(ctx, hash)
}

async function knownSession(ctx: OauthContext, hash: string): Promise<Known | undefined> {
  const session = await ctx.resources.credentials.session(hash)
  if (!session) return undefined
  const now = ctx.clock.now()
  if (sessionEnd(session, ctx.config) <= now) return undefined
  const { id, owner, epoch, created_at, last_seen_at: lastSeenAt } = session
  // This is a use, so the remaining lifetime counts from now.
  const end = sessionEnd({ created_at, last_seen_at: new Date(now) }, ctx.config)
  await noted(now, lastSeenAt, (...moments) => touchSession(ctx.db, id, ...moments))
  const caller = {
    kind: 'session' as const,
    owner,
    sessionId: id,
    signedInAt: isoTime(created_at.getTime()),
    expiresAt: isoTime(end),
  }
  return { caller, epochKey: epochKey(owner), epoch, endsInMs: end - now }
}

async function knownKey(ctx: OauthContext, hash: string): Promise<Known | undefined> {
  const key = await ctx.resources.credentials.key(hash)
  if (!key) return undefined
  const { id, owner, epoch, last_used_at: lastUsedAt } = key
  await noted(ctx.clock.now(), lastUsedAt, (...moments) => touchKey(ctx.db, id, ...moments))
  return {
    caller: { kind: 'api_key', owner, keyId: id },
    epochKey: epochKey(owner),
    epoch,
    endsInMs: Number.MAX_SAFE_INTEGER,
  }
}

async function knownToken(ctx: OauthContext, hash: string): Promise<Known | undefined> {
  const token = await ctx.resources.credentials.token(hash)
  const now = ctx.clock.now()
  const endsInMs = (token?.expires_at.getTime() ?? 0) - now
  if (!token || endsInMs <= 0) return undefined
  const { owner, client_id: clientId, family_id: familyId, scopes, audience, last_used_at: lastUsedAt } = token
  await noted(now, lastUsedAt, (...moments) => touchFamily(ctx.db, familyId, ...moments))
  const caller = AgentClientId.safeParse(clientId).success
    ? { kind: 'agent' as const, owner, clientId, linkId: familyId, scopes }
    : { kind: 'client' as const, owner, clientId, familyId, scopes, audience }
  return { caller, epochKey: familyKey(familyId), epoch: 0, endsInMs }
}

/** Records uses to the minute, so that most requests write nothing. */
async function noted(now: number, lastUse: Date | null, note: (now: Date, notSince: Date) => Promise<unknown>) {
  const notSince = now - MINUTE_MS
  if (lastUse === null || lastUse.getTime() < notSince) await note(new Date(now), new Date(notSince))
}
