import { oauth, refuseStaleSignature } from '@callboard/contract'
import { isoTime, refuse } from '@callboard/values'
import type { OauthHandler } from '../context.ts'
import { newCredential } from '../domain/credential.ts'
import { lockAccount } from '../store/account.repository.ts'
import { activeKeys, insertKey } from '../store/api-key.repository.ts'
import { holdSession } from '../store/session.repository.ts'

export const createKey: OauthHandler<typeof oauth.createKey> = async ({ label }, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const { owner, sessionId } = ctx.caller
  const now = new Date(ctx.clock.now())
  const stale = refuseStaleSignature(oauth.createKey, ctx.caller, ctx.clock.now())
  if (stale) return stale
  const { secret, hash, prefix } = newCredential('key')
  const key = {
    id: ctx.newId(),
    owner,
    label,
    prefix,
    key_hash: hash,
    created_at: now,
    last_used_at: null,
    revoked_at: null,
  }
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await holdSession(tx, { owner, sessionId }))) return refuse('unauthorized')
    await lockAccount(tx, owner)
    const held = await activeKeys(tx, owner)
    if (held.length >= ctx.config.API_KEYS_PER_OWNER) return refuse('key_limit')
    await insertKey(tx, key)
    return { id: key.id, label, key: secret, createdAt: isoTime(now.getTime()) }
  })
}
