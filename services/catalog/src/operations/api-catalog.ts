import type { catalog } from '@callboard/contract'
import type { CatalogHandler } from '../context.ts'

const JSON_TYPE = 'application/json'
const HTML_TYPE = 'text/html'

/** The APIs by path, with the path of the published status, if any. The decoder has its own description. */
const APIS = [
  { path: '/api/call/discovery', description: '/openapi.json' },
  { path: '/x402/decode', description: '/x402/openapi.json' },
  { path: '/mcp', description: '/openapi.json', status: '/mcp/health' },
  { path: '/a2a', description: '/.well-known/agent-card.json', status: '/api/tasks/readiness' },
]

/** @source RFC 9727 (the catalog), RFC 9264 (linkset), RFC 8631 (service-desc, service-doc, status) */
export const apiCatalog: CatalogHandler<typeof catalog.apiCatalog> = async (_input, { config }) => {
  const at = (path: string) => new URL(path, config.BASE_URL).href
  return {
    linkset: [
      {
        anchor: at('/.well-known/api-catalog'),
        item: APIS.map(({ path }) => ({ href: at(path) })),
      },
      ...APIS.map(({ path, description, status }) => ({
        anchor: at(path),
        'service-desc': [{ href: at(description), type: JSON_TYPE }],
        'service-doc': [{ href: at('/docs'), type: HTML_TYPE }],
        ...(status ? { status: [{ href: at(status), type: JSON_TYPE }] } : {}),
      })),
    ],
  }
}
