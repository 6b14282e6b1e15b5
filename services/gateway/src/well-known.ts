import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { metadataDocuments } from './metadata.ts'

/**
 * Serves the OAuth metadata documents as bytes that the gateway holds: clients give up at a 5xx there, so the documents
 * do not depend on the oauth service.
 */
export function addWellKnown(app: FastifyInstance): void {
  for (const [path, document] of Object.entries(metadataDocuments(app.publicOrigin))) {
    const bytes = Buffer.from(JSON.stringify(document))
    const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`
    app.get(path, (request, reply) => {
      reply.header('etag', etag).header('cache-control', 'public, max-age=3600')
      return knows(request, etag) ? reply.code(304).send() : reply.type('application/json; charset=utf-8').send(bytes)
    })
  }
}

/** RFC 9110 §13.1.2: any tag of the list, compared weakly, or `*`. */
function knows(request: FastifyRequest, etag: string): boolean {
  const tags = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes(etag) || tags.includes('*')
}
