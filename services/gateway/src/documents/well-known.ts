import { AGENT_CARD_PATH, agentCard } from '@callboard/contract'
import type { FastifyInstance } from 'fastify'
import build from '../../package.json' with { type: 'json' }
import { KeptBody } from '../shared-reads/representations.ts'
import { sendShared } from '../shared-reads/send-shared.ts'
import { metadataDocuments } from './metadata.ts'

/**
 * Serves the OAuth metadata documents and the agent card from memory: clients give up on a 5xx there, so the documents
 * depend on no service.
 */
export function addWellKnown(app: FastifyInstance): void {
  const { publicOrigin } = app
  for (const [path, document] of Object.entries(metadataDocuments(publicOrigin))) serve(app, path, () => document)
  serve(app, AGENT_CARD_PATH, () => agentCard(publicOrigin, build.version))
}

/** @param written called for the first request: the card of all skills would delay every start by ten milliseconds */
function serve(app: FastifyInstance, path: string, written: () => object): void {
  let body: KeptBody | undefined
  app.get(path, (request, reply) => {
    body ??= new KeptBody(Buffer.from(JSON.stringify(written())))
    reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=3600')
    return sendShared(request, reply, body)
  })
}
