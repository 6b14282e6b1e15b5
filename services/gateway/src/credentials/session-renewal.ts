import { keepNewest, MINUTE_MS } from '@callboard/values'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { GatewayContext } from '../context.ts'
import { sessionCookie } from './session-cookie.ts'

/** As often as oauth records a session's use. */
const EVERY_MS = MINUTE_MS
const MOST_KEPT = 10_000

/** When the cookie of a session was last renewed by this process. */
export class SessionRenewals {
  readonly #renewedAt = new Map<string, number>()

  /** Whether a session's cookie is due for renewal; if so, it is marked as renewed. */
  isDue(sessionId: string, now: number): boolean {
    const last = this.#renewedAt.get(sessionId)
    if (last !== undefined && now - last < EVERY_MS) return false
    keepNewest(this.#renewedAt, sessionId, now, MOST_KEPT)
    return true
  }
}

/**
 * Each use extends a session, and its cookie with it; otherwise a browser would forget a session in daily use. Not
 * every answer renews it: one under way while its owner signs in again would bring the old cookie back.
 */
export function renewSessions(owners: FastifyInstance, ctx: GatewayContext): void {
  const renewals = new SessionRenewals()
  owners.addHook('onSend', async (request, reply) => {
    const { session } = request.state
    if (!session || setsSession(reply, sessionCookie.nameFor(request))) return
    if (!renewals.isDue(session.id, ctx.clock.now())) return
    reply.header('set-cookie', sessionCookie.set(request, session.token, session.expiresAt))
  })
}

/** Whether the answer itself sets or ends the session. */
const setsSession = (reply: FastifyReply, name: string): boolean =>
  [reply.getHeader('set-cookie') ?? []].flat().some((cookie) => String(cookie).startsWith(`${name}=`))
