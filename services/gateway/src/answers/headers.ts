import type { FastifyReply } from 'fastify'

/** List headers to which a service adds its own limits (RFC 9110 §5.3; draft-ietf-httpapi-ratelimit-headers §4). */
const LISTS = new Set(['ratelimit', 'ratelimit-policy'])

/** Adds the headers of a service's answer to those of the gateway. */
export function addHeaders(reply: FastifyReply, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    const before = LISTS.has(name) ? reply.getHeader(name) : undefined
    reply.header(name, before === undefined ? value : `${String(before)}, ${value}`)
  }
}
