import { keepNewest, MINUTE_MS } from '@callboard/values'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { GatewayContext } from '../context.ts'
import { sessionCookie } from './session-cookie.ts'

/** As often as oauth notes a use of a session. */
const EVERY_MS = MINUTE_MS
const MOST_KEPT = 10_000

/** When the cookie of a session was last renewed by this process. */
export class SessionRenewals {
  readonly #renewedAt = new Map<string, number>()

  /** Whether the cookie of a session is to be renewed now; if so, it counts as done. */
  isDue(sessionId: string, now: number): boolean {
    const last = this.#renewedAt.get(sessionId)
    if (last !== undefined && now - last < EVERY_MS) return false
    keepNewest(this.#renewedAt, sessionId, now, MOST_KEPT)
    return true
  }
}

/**
 * A session lives on with every use, and its cookie with it: else a browser forgets a session that is in daily use. Not
 * with every answer: one that is under way while its owner signs in anew would bring the old cookie back.
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

/** Whether the answer itself gives or ends the session. */
const setsSession = (reply: FastifyReply, name: string): boolean =>
  [reply.getHeader('set-cookie') ?? []].flat().some((cookie) => String(cookie).startsWith(`${name}=`))
