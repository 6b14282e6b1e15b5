import type { FastifyReply } from 'fastify'

/** Lists to which a service adds what it counts itself (RFC 9110 §5.3; draft-ietf-httpapi-ratelimit-headers §4). */
const LISTS = new Set(['ratelimit', 'ratelimit-policy'])

/** Adds what a service says in the head of an answer to what the gateway said there. */
export function addHeaders(reply: FastifyReply, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    const before = LISTS.has(name) ? reply.getHeader(name) : undefined
    reply.header(name, before === undefined ? value : `${String(before)}, ${value}`)
  }
}
