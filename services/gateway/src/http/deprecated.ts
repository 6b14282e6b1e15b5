import type { FastifyReply } from 'fastify'
import type { Route } from '../context.ts'
import { API_CATALOG_LINK } from '../pages/paths.ts'

/** Says on an answer under a deprecated path, whatever the answer is, which path took its place (RFC 5829). */
export function deprecate(reply: FastifyReply, { http }: Route): void {
  reply.header('deprecation', 'true')
  const successor = `<${http.path}>; rel="successor-version"`
  reply.header('link', http.linksCatalog ? `${successor}, ${API_CATALOG_LINK}` : successor)
}
