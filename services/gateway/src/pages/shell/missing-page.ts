import type { FastifyReply, FastifyRequest } from 'fastify'
import { html } from 'htm/preact'
import { documentOf, type Page } from './document.ts'
import { withPolicies } from './send-page.ts'

/** Paths for programs: there, a missing path is reported the same way whatever they accept. */
const FOR_PROGRAMS = /^\/(api|v1|x402|oauth|mcp|a2a|\.well-known)(\/|$|\?)/

const PAGE: Page = {
  status: 404,
  title: 'There is no such page',
  body: html`<p>The address may be mistyped, or the page may no longer exist.</p>
    <p><a href="/">Search the directory</a> · <a href="/account">Your account</a> · <a href="/docs">Reference</a></p>`,
}

/** Whether a browser asks for a page: it accepts HTML explicitly, which no API client does on its own. */
export const asksForPage = ({ method, url, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && /\btext\/html\b/.test(headers.accept ?? '') && !FOR_PROGRAMS.test(url)

/** Sends the page for missing paths, which is the same for every visitor. */
export function sendMissing(reply: FastifyReply): FastifyReply {
  const vary = [reply.getHeader('vary'), 'Accept'].filter(Boolean).join(', ')
  return withPolicies(reply, PAGE)
    .code(PAGE.status)
    .header('vary', vary)
    .header('cache-control', 'no-store')
    .send(documentOf(PAGE, { origin: reply.server.publicOrigin }))
}
