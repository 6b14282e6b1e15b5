import { z } from 'zod'
import { type HttpBinding, type Operation, serviceOf } from './operation.ts'
import type { RefusalDeclaration } from './refusal.ts'
import { edge } from './refusals.ts'
import { operations } from './registry.ts'

type JsonObject = Record<string, unknown>

/** The routes of the contract: every operation with an HTTP face, in the contract's order. */
export const routes = (): (Operation & { http: HttpBinding })[] =>
  [...operations.values()].filter((op): op is Operation & { http: HttpBinding } => op.http !== undefined)

/** The names of the `:parameters` of a path. */
export const pathParameters = (path: string): string[] =>
  [...path.matchAll(/:([A-Za-z]+)/g)].map((match) => match[1] ?? '')

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): JsonObject => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io, unrepresentable: 'any' })
  return rest
}

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

/** True for methods whose input, apart from path parameters, is a body. */
export const hasBody = (http: Pick<HttpBinding, 'method'>): boolean => !['GET', 'DELETE'].includes(http.method)

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

/** What leaves over HTTP: the output without the members that leave as headers or cookies. */
function publicOutput(op: Operation & { http: HttpBinding }): JsonObject {
  const schema = jsonSchema(op.output, 'output')
  const properties = (schema.properties ?? {}) as JsonObject
  if (op.http.paid) return properties.result as JsonObject
  const inHead = [...(op.http.sessionCookie === 'sets' ? ['sessionToken'] : []), ...(op.http.entityTag ? ['etag'] : [])]
  if (inHead.length === 0) return schema
  const shown = Object.fromEntries(Object.entries(properties).filter(([name]) => !inHead.includes(name)))
  return { ...schema, properties: shown, required: Object.keys(shown) }
}

/** Members of an input that are the preconditions of a request, and the headers they stand in (RFC 9110 §13.1). */
export const PRECONDITIONS = { ifMatch: 'If-Match', ifNoneMatch: 'If-None-Match' } as const

/** Members of an input that the gateway fills in. */
const BY_THE_EDGE: readonly string[] = [
  'requester',
  'registration_access_token',
  'replacedSession',
  ...Object.keys(PRECONDITIONS),
]

function inputParts(op: Operation & { http: HttpBinding }): JsonObject {
  const schema = jsonSchema(op.input, 'input')
  const properties = (schema.properties ?? {}) as Record<string, JsonObject>
  const required = (schema.required ?? []) as string[]
  const inPath = pathParameters(op.http.path)
  const rest = Object.keys(properties).filter((name) => !inPath.includes(name) && !BY_THE_EDGE.includes(name))
  const parameter = (name: string, where: 'path' | 'query') => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: properties[name],
    ...(properties[name]?.type === 'array' ? { style: 'form', explode: true } : {}),
  })
  const parameters = [
    ...inPath.map((name) => parameter(name, 'path')),
    ...(hasBody(op.http) ? [] : rest.map((name) => parameter(name, 'query'))),
    ...Object.entries(PRECONDITIONS)
      .filter(([member]) => properties[member])
      .map(([member, name]) => ({ name, in: 'header', required: false, schema: properties[member] })),
  ]
  if (!hasBody(op.http) || rest.length === 0) return { parameters }
  const body = {
    ...schema,
    properties: Object.fromEntries(rest.map((name) => [name, properties[name]])),
    required: required.filter((name) => rest.includes(name)),
  }
  const types = ['application/json', ...(op.http.forms ? ['application/x-www-form-urlencoded'] : [])]
  const content = Object.fromEntries(types.map((type) => [type, { schema: body }]))
  return { parameters, requestBody: { required: true, content } }
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
