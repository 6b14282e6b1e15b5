import type { FastifyReply } from 'fastify'
import { documentOf, type Page, policyOf } from './document.ts'

/**
 * Sends a page about one owner: never cached, never framed, and without revealing its address to other sites. A page
 * with a form is sent under `same-origin`: under `no-referrer` a browser would report the form's origin as `null`.
 */
export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  const { request, server } = reply
  if (page.retryAfterSeconds !== undefined) reply.header('retry-after', String(page.retryAfterSeconds))
  return withPolicies(reply, page)
    .code(page.status)
    .header('cache-control', 'no-store')
    .send(documentOf(page, { origin: server.publicOrigin, owner: request.state.session?.owner ?? null }))
}

/** The headers of every page, for every visitor. */
export const withPolicies = (reply: FastifyReply, page: Omit<Page, 'body' | 'title' | 'status'>): FastifyReply =>
  reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policyOf(page))
    .header('referrer-policy', page.posts ? 'same-origin' : 'no-referrer')
    .header('x-frame-options', 'DENY')
    .header('cross-origin-opener-policy', page.opensWallets ? 'same-origin-allow-popups' : 'same-origin')
