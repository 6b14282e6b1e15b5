import { PROBE_DOCS_PATH } from '@callboard/contract'
import { memoizeBy } from '@callboard/values'
import type { FastifyInstance } from 'fastify'
import { KeptBody } from '../../shared-reads/representations.ts'
import { sendShared } from '../../shared-reads/send-shared.ts'
import { API_CATALOG_LINK } from '../paths.ts'
import { documentOf, type Page } from '../shell/document.ts'
import { withPolicies } from '../shell/send-page.ts'
import { docsPage } from './docs-page.ts'
import { probesPage } from './probes-page.ts'

/**
 * Serves pages made from the contract, which are the same for everyone and kept as the bytes to be sent. Each is made at
 * its first request: the whole contract takes a tenth of a second.
 */
export function addReference(app: FastifyInstance): void {
  const made = memoizeBy(
    (make: () => Page) => {
      const page = make()
      return { page, body: new KeptBody(Buffer.from(documentOf(page, { origin: app.publicOrigin }))) }
    },
    (make) => make,
  )
  for (const [path, make] of [
    ['/docs', docsPage],
    [PROBE_DOCS_PATH, probesPage],
  ] as const) {
    app.get(path, (request, reply) => {
      const { page, body } = made(make)
      withPolicies(reply, page).header('link', API_CATALOG_LINK).header('cache-control', 'public, max-age=300')
      return sendShared(request, reply, body)
    })
  }
}
