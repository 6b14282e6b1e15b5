import type { FastifyReply } from 'fastify'
import type { Route } from '../context.ts'
import { API_CATALOG_LINK } from '../pages/paths.ts'

/** Marks every answer under a deprecated path with the path that replaces it (RFC 5829). */
export function deprecate(reply: FastifyReply, { http }: Route): void {
  reply.header('deprecation', 'true')
  const successor = `<${http.path}>; rel="successor-version"`
  reply.header('link', http.linksCatalog ? `${successor}, ${API_CATALOG_LINK}` : successor)
}
