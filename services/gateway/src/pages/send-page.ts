import type { FastifyReply } from 'fastify'
import { documentOf, type Page, policyOf } from './document.ts'

/**
 * Sends a page that is about one owner: never kept, never framed, and silent to other sites about its address. A page
 * with a form goes out under `same-origin`: under `no-referrer` a browser would call the form's origin `null`.
 */
export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  if (page.retryAfterSeconds !== undefined) reply.header('retry-after', String(page.retryAfterSeconds))
  return reply
    .code(page.status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policyOf(page))
    .header('cache-control', 'no-store')
    .header('referrer-policy', page.posts ? 'same-origin' : 'no-referrer')
    .header('x-frame-options', 'DENY')
    .send(documentOf(page))
}
