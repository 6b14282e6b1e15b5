import type { FastifyInstance } from 'fastify'
import { KeptBody } from '../shared-reads/representations.ts'
import { sendShared } from '../shared-reads/send-shared.ts'
import { metadataDocuments } from './metadata.ts'

/**
 * Serves the OAuth metadata documents from memory: clients give up on a 5xx there, so the documents do not depend on
 * the oauth service.
 */
export function addWellKnown(app: FastifyInstance): void {
  for (const [path, document] of Object.entries(metadataDocuments(app.publicOrigin))) {
    const body = new KeptBody(Buffer.from(JSON.stringify(document)))
    app.get(path, (request, reply) => {
      reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=3600')
      return sendShared(request, reply, body)
    })
  }
}
