import type { oauth } from '@callboard/contract'
import { isoTime, refuse } from '@callboard/values'
import type { OauthHandler } from '../context.ts'
import { activeKeys } from '../store/api-key.repository.ts'

export const listKeys: OauthHandler<typeof oauth.listKeys> = async (_input, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const keys = await activeKeys(ctx.db, ctx.caller.owner)
  return {
    keys: keys.map(({ id, label, prefix, created_at, last_used_at }) => ({
      id,
      label,
      prefix,
      createdAt: isoTime(created_at.getTime()),
      lastUsedAt: last_used_at && isoTime(last_used_at.getTime()),
    })),
  }
}
