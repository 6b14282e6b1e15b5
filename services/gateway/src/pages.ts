import { openapiDocument } from '@callboard/contract'
import type { FastifyInstance } from 'fastify'
import { docsPage } from './docs-page.ts'
import { PAGE_POLICY } from './page.ts'
import { rootPage } from './root-page.ts'

export const API_CATALOG_LINK = '</.well-known/api-catalog>; rel="api-catalog"'

/** What the gateway answers by itself, made from the contract and kept as the bytes that are sent. */
export function addPages(app: FastifyInstance, baseUrl: string): void {
  const document = Buffer.from(JSON.stringify(openapiDocument({ baseUrl, version: '0.1.0' })))
  app.get('/openapi.json', (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=300').send(document),
  )
  const pages = { '/': rootPage(baseUrl), '/docs': docsPage() }
  for (const [path, html] of Object.entries(pages)) {
    const bytes = Buffer.from(html)
    app.get(path, (_request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .header('link', API_CATALOG_LINK)
        .header('content-security-policy', PAGE_POLICY)
        .header('cache-control', 'public, max-age=300')
        .send(bytes),
    )
  }
}
