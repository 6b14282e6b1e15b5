import { PROBE_DOCS_PATH } from '@callboard/contract'
import type { FastifyInstance } from 'fastify'
import { KeptBody } from '../../shared-reads/representations.ts'
import { sendShared } from '../../shared-reads/send-shared.ts'
import { API_CATALOG_LINK } from '../paths.ts'
import { documentOf } from '../shell/document.ts'
import { withPolicies } from '../shell/send-page.ts'
import { docsPage } from './docs-page.ts'
import { probesPage } from './probes-page.ts'

/** Serves pages made from the contract, which are the same for everyone and kept as the bytes to be sent. */
export function addReference(app: FastifyInstance): void {
  for (const [path, page] of [
    ['/docs', docsPage()],
    [PROBE_DOCS_PATH, probesPage()],
  ] as const) {
    const body = new KeptBody(Buffer.from(documentOf(page, { origin: app.publicOrigin })))
    app.get(path, (request, reply) => {
      withPolicies(reply, page).header('link', API_CATALOG_LINK).header('cache-control', 'public, max-age=300')
      return sendShared(request, reply, body)
    })
  }
}
