import type { FastifyReply, FastifyRequest } from 'fastify'
import { sessionCookie } from '../../credentials/session-cookie.ts'
import { documentOf, type Page, policyOf } from './document.ts'
import type { Viewed } from './frame.ts'

/**
 * Sends a page about one owner: never cached, never framed, and without revealing its address to other sites. A page
 * with a form is sent under `same-origin`: under `no-referrer` a browser would report the form's origin as `null`.
 */
export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  const { server } = reply
  if (page.retryAfterSeconds !== undefined) reply.header('retry-after', String(page.retryAfterSeconds))
  return withPolicies(reply, page)
    .code(page.status)
    .header('cache-control', 'no-store')
    .send(documentOf(page, { origin: server.publicOrigin, ...viewerOf(reply.request) }))
}

/** A cookie that nobody examined, as for a page that is the same for every visitor, says neither yes nor no. */
function viewerOf(request: FastifyRequest): Pick<Viewed, 'owner'> {
  const { session } = request.state
  if (session) return { owner: session.owner }
  return session === undefined && sessionCookie.read(request) !== undefined ? {} : { owner: null }
}

/** The headers of every page, for every visitor. */
export const withPolicies = (reply: FastifyReply, page: Omit<Page, 'body' | 'title' | 'status'>): FastifyReply =>
  reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policyOf(page))
    .header('referrer-policy', page.posts ? 'same-origin' : 'no-referrer')
    .header('x-frame-options', 'DENY')
    .header('cross-origin-opener-policy', page.opensWallets ? 'same-origin-allow-popups' : 'same-origin')
