import { hasBody, inputParts, type JsonObject, publicOutput } from './http-parts.ts'
import { type HttpBinding, type Operation, serviceOf } from './operation.ts'
import type { RefusalDeclaration } from './refusal.ts'
import { edge } from './refusals.ts'
import { operations } from './registry.ts'

/** The routes of the contract: every operation with an HTTP face, in the contract's order. */
export const routes = (): (Operation & { http: HttpBinding })[] =>
  [...operations.values()].filter((op): op is Operation & { http: HttpBinding } => op.http !== undefined)

/** The refusals a route can answer with: those of its operation, and those the edge gives in its place. */
export function refusalsOf(op: Operation & { http: HttpBinding }): RefusalDeclaration[] {
  const fromEdge = [
    edge.invalidRequest,
    edge.rateLimited,
    ...(['none', 'optional', 'client'].includes(op.http.auth) ? [] : [edge.unauthorized]),
    ...(op.http.scope ? [edge.insufficientScope] : []),
    ...(op.http.auth === 'session' && op.http.method !== 'GET' ? [edge.originMismatch] : []),
    ...(op.http.changes ? [edge.unsolicited] : []),
    ...(hasBody(op.http) ? [edge.payloadTooLarge, edge.unsupportedMediaType] : []),
    edge.internal,
    edge.unavailable,
    edge.deadline,
  ]
  const byCode = new Map([...fromEdge, ...op.errors].map((declaration) => [declaration.code, declaration]))
  return [...byCode.values()].sort((a, b) => a.status - b.status)
}

const errorBody = (declarations: readonly RefusalDeclaration[]): JsonObject => ({
  type: 'object',
  required: ['error'],
  properties: {
    error: { type: 'string', enum: declarations.map((declaration) => declaration.code) },
    message: { type: 'string' },
    field: { type: 'string', description: 'The input field at fault, as a dotted path.' },
  },
})

function responses(op: Operation & { http: HttpBinding }): JsonObject {
  const { ok, mediaType = 'application/json' } = op.http
  const success =
    ok === 204
      ? { description: 'Done; no body.' }
      : {
          description: op.summary,
          ...(op.http.entityTag ? { headers: { ETag: { schema: { type: 'string' } } } } : {}),
          content: { [mediaType.split(';')[0] ?? mediaType]: { schema: publicOutput(op) } },
        }
  const byStatus = Map.groupBy(refusalsOf(op), (declaration) => declaration.status)
  const refused = [...byStatus].map(([status, declarations]) => [
    String(status),
    {
      description: declarations.map((declaration) => `\`${declaration.code}\`: ${declaration.meaning}`).join(' '),
      content: { 'application/json': { schema: status === 402 ? { type: 'object' } : errorBody(declarations) } },
    },
  ])
  return { [ok]: success, ...Object.fromEntries(refused) }
}

const security: Record<HttpBinding['auth'], JsonObject[]> = {
  none: [],
  optional: [{}, { bearer: [] }],
  bearer: [{ bearer: [] }],
  agent: [{ bearer: [] }],
  client: [{}, { client: [] }],
  session: [{ session: [] }],
}

const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** One route under one of its paths. A deprecated alias has an id of its own, since ids are unique in a document. */
function describe(op: Operation & { http: HttpBinding }, path: string): JsonObject {
  const deprecated = path !== op.http.path
  return {
    operationId: deprecated ? `${op.id}.${capitalise(path.split('/')[2] ?? 'alias')}` : op.id,
    summary: op.summary,
    tags: [serviceOf(op)],
    ...(deprecated ? { deprecated: true } : {}),
    'x-stability': op.http.stability ?? 'stable',
    'x-limit-class': op.http.limit,
    security: security[op.http.auth],
    ...inputParts(op),
    responses: responses(op),
  }
}

/**
 * The OpenAPI 3.1 document of the whole contract.
 * @param about where the service is reached, and the version of this build
 */
export function openapiDocument(about: { baseUrl: string; version: string }): JsonObject {
  const paths: Record<string, JsonObject> = {}
  for (const op of routes()) {
    for (const path of [op.http.path, ...(op.http.aliases ?? [])]) {
      const template = path.replace(/:([A-Za-z]+)/g, '{$1}')
      paths[template] = { ...paths[template], [op.http.method.toLowerCase()]: describe(op, path) }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Callboard',
      version: about.version,
      summary: 'The open marketplace and payment rail for agents.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: about.baseUrl }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key, or an access token.' },
        client: { type: 'http', scheme: 'basic', description: 'A confidential OAuth client (RFC 6749 §2.3.1).' },
        session: { type: 'apiKey', in: 'cookie', name: '__Host-callboard', description: 'An owner’s session.' },
      },
    },
  }
}
