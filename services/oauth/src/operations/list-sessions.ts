import { fittingPart } from '@callboard/bus'
import type { oauth } from '@callboard/contract'
import { isoTime, refuse } from '@callboard/values'
import type { OauthHandler } from '../context.ts'
import { sessionEnd } from '../domain/session-life.ts'
import { countSessions, sessionsOf } from '../store/session.repository.ts'

/** More than fit into an answer; `SESSIONS_PER_OWNER` may allow more. */
const MOST_READ = 5_000

export const listSessions: OauthHandler<typeof oauth.listSessions> = async (_input, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const { owner, sessionId } = ctx.caller
  const sessions = await sessionsOf(ctx.db, owner, MOST_READ)
  const active = sessions
    .map((session) => ({ ...session, end: sessionEnd(session, ctx.config) }))
    .filter(({ end }) => end > ctx.clock.now())
    .map(({ id, created_at, last_seen_at, address, user_agent, end }) => ({
      id,
      createdAt: isoTime(created_at.getTime()),
      lastSeenAt: isoTime(last_seen_at.getTime()),
      expiresAt: isoTime(end),
      openedFrom: { address: address ?? '', userAgent: user_agent },
      current: id === sessionId,
    }))
  const { shown, more: unshown = 0 } = fittingPart(active)
  const unread = sessions.length < MOST_READ ? 0 : (await countSessions(ctx.db, owner)) - MOST_READ
  const more = unshown + unread
  return more > 0 ? { sessions: shown, more } : { sessions: shown }
}
