import type { oauth } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import type { OauthHandler } from '../context.ts'
import { lastUsesOf } from '../store/family.repository.ts'

export const lastUses: OauthHandler<typeof oauth.lastUses> = async ({ linkIds }, ctx) => {
  const rows = linkIds.length === 0 ? [] : await lastUsesOf(ctx.db, linkIds)
  const used = rows.flatMap(({ id, last_used_at }) => (last_used_at ? [[id, isoTime(last_used_at.getTime())]] : []))
  return { lastUsedAt: Object.fromEntries(used) }
}
