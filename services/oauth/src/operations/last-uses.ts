import type { oauth } from '@callboard/contract'
import { DAY_MS, isoTime } from '@callboard/values'
import type { OauthHandler } from '../context.ts'
import { familyTimes } from '../store/family.repository.ts'

export const lastUses: OauthHandler<typeof oauth.lastUses> = async ({ linkIds }, ctx) => {
  const rows = linkIds.length === 0 ? [] : await familyTimes(ctx.db, linkIds)
  const used = rows.flatMap(({ id, last_used_at }) => (last_used_at ? [[id, isoTime(last_used_at.getTime())]] : []))
  const lifetimeMs = ctx.config.LINK_MAX_DAYS * DAY_MS
  const ends = rows.map(({ id, created_at }) => [id, isoTime(created_at.getTime() + lifetimeMs)])
  return { lastUsedAt: Object.fromEntries(used), endsAt: Object.fromEntries(ends) }
}
