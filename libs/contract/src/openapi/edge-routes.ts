import { z } from 'zod'
import type { EdgeRoute } from '../edge-routes/index.ts'
import { pathParameters } from '../http-parts.ts'
import type { RefusalDeclaration } from '../refusal.ts'
import { edge } from '../refusals.ts'
import { type Components, pascalCase } from './components.ts'
import { errorBody } from './errors.ts'
import { type HeaderName, headersOf, SHARED } from './headers.ts'
import { isObject, type JsonObject, writeSchema } from './json-schema.ts'

/** Describes a page or document of the gateway as an operation of the OpenAPI document. */
export function describeEdgeRoute(components: Components, route: EdgeRoute): JsonObject {
  return {
    operationId: route.id,
    summary: route.summary,
    tags: ['gateway'],
    security: securityOf(route),
    parameters: [
      ...pathParameters(route.path).map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...(route.query ? queryOf(route.query) : []),
      ...(route.form ? [{ $ref: '#/components/parameters/Origin' }] : []),
    ],
    ...(route.form ? { requestBody: formOf(components, route, route.form) } : {}),
    ...(route.body ? { requestBody: bodyOf(components, route.body) } : {}),
    responses: responsesOf(components, route),
  }
}

function securityOf({ session, scope, optionalBearer }: EdgeRoute): JsonObject[] {
  if (optionalBearer) return [{}, { apiKey: [] }, { accessToken: [] }]
  if (scope) return [{ apiKey: [] }, { accessToken: [scope] }]
  return session ? [{}, { session: [] }] : []
}

const queryOf = (query: z.ZodObject): JsonObject[] => {
  const { properties } = writeSchema(query, 'input').schema
  return Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => ({
    ...{ name, in: 'query', required: false, schema },
  }))
}

function formOf(components: Components, route: EdgeRoute, form: z.ZodObject): JsonObject {
  const schema = components.keep(`${pascalCase(route.id)}Request`, components.write(form, 'input'))
  return { required: true, content: { 'application/x-www-form-urlencoded': { schema } } }
}

const bodyOf = (components: Components, body: z.ZodType): JsonObject => ({
  required: true,
  content: { 'application/json': { schema: components.write(body, 'input') } },
})

const TEXT = z.string()

function responsesOf(components: Components, route: EdgeRoute): JsonObject {
  const { mediaType, statuses = {}, json, summary, refusals = [] } = route
  const schema = components.write(json?.schema ?? TEXT, 'output')
  const others = Object.entries(statuses).map(([status, description]) => [
    status,
    status === '303'
      ? { description, headers: headersOf([...headersOfAll(route), 'Location']) }
      : { description, headers: headersOf(headersAt(route, status)), content: { [mediaType]: { schema } } },
  ])
  return {
    200: {
      description: summary,
      headers: headersOf(headersAt(route, '200')),
      content: { [mediaType]: { schema, ...(json ? { example: json.example } : {}) } },
    },
    ...(route.entityTag ? ofShared(components, route) : {}),
    ...Object.fromEntries(others),
    ...Object.fromEntries(refusals.map((declaration) => [declaration.status, refusal(components, route, declaration)])),
    408: refusal(components, UNREAD, edge.requestTimeout),
    431: refusal(components, UNREAD, edge.headersTooLarge),
  }
}

const ofShared = (components: Components, route: EdgeRoute): JsonObject => ({
  304: { description: 'Not modified.', headers: headersOf([...headersOfAll(route), 'ETag']) },
  406: refusal(components, UNREAD, edge.notAcceptable),
})

/** A refusal that says nothing about the route. */
const UNREAD: Partial<EdgeRoute> = {}

const refusal = (components: Components, route: Partial<EdgeRoute>, declaration: RefusalDeclaration): JsonObject =>
  components.shareResponse(pascalCase(declaration.code), {
    description: `\`${declaration.code}\`: ${declaration.meaning}`,
    headers: headersOf(headersAt(route, String(declaration.status))),
    content: { 'application/json': { schema: errorBody(components, [{ declaration, surface: 'api' }]) } },
  })

const headersOfAll = (route: Partial<EdgeRoute>): HeaderName[] => [
  'X-Request-Id',
  ...(route.linksCatalog ? (['Link'] as const) : []),
  ...(route.limited ? (['RateLimit', 'RateLimit-Policy'] as const) : []),
  ...(route.session ? (['Set-Cookie'] as const) : []),
]

const headersAt = (route: Partial<EdgeRoute>, status: string): HeaderName[] => [
  ...headersOfAll(route),
  ...(route.entityTag && status === '200' ? SHARED : []),
  ...(status === '429' || status === '503' ? (['Retry-After'] as const) : []),
  ...((route.scope || route.optionalBearer) && (status === '401' || status === '403')
    ? (['WWW-Authenticate'] as const)
    : []),
]
