import type { FastifyInstance } from 'fastify'
import { KeptBody } from '../../shared-reads/representations.ts'
import { sendShared } from '../../shared-reads/send-shared.ts'
import { FAVICON_PATH } from '../paths.ts'
import { FAVICON } from './mark.ts'

const body = new KeptBody(Buffer.from(FAVICON))

export const addFavicon = (app: FastifyInstance): void => {
  app.get(FAVICON_PATH, (request, reply) => {
    reply
      .type('image/svg+xml')
      .header('cache-control', 'public, max-age=86400')
      // Opened on its own it is a document, which may do nothing but apply its style.
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
    return sendShared(request, reply, body)
  })
}
