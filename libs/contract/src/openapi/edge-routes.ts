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
    security: route.session ? [{}, { session: [] }] : [],
    parameters: [
      ...pathParameters(route.path).map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...(route.query ? queryOf(route.query) : []),
      ...(route.form ? [{ $ref: '#/components/parameters/Origin' }] : []),
    ],
    ...(route.form ? { requestBody: formOf(components, route, route.form) } : {}),
    responses: responsesOf(components, route),
  }
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

const TEXT = z.string()

function responsesOf(components: Components, route: EdgeRoute): JsonObject {
  const { mediaType, statuses = {}, json, summary } = route
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
    408: refusal(components, edge.requestTimeout),
    431: refusal(components, edge.headersTooLarge),
  }
}

const ofShared = (components: Components, route: EdgeRoute): JsonObject => ({
  304: { description: 'Not modified.', headers: headersOf([...headersOfAll(route), 'ETag']) },
  406: refusal(components, edge.notAcceptable),
})

const refusal = (components: Components, declaration: RefusalDeclaration): JsonObject =>
  components.shareResponse(pascalCase(declaration.code), {
    description: `\`${declaration.code}\`: ${declaration.meaning}`,
    headers: headersOf(['X-Request-Id']),
    content: { 'application/json': { schema: errorBody(components, [{ declaration, surface: 'api' }]) } },
  })

const headersOfAll = (route: EdgeRoute): HeaderName[] => [
  'X-Request-Id',
  ...(route.linksCatalog ? (['Link'] as const) : []),
  ...(route.limited ? (['RateLimit', 'RateLimit-Policy'] as const) : []),
  ...(route.session ? (['Set-Cookie'] as const) : []),
]

const headersAt = (route: EdgeRoute, status: string): HeaderName[] => [
  ...headersOfAll(route),
  ...(route.entityTag && status === '200' ? SHARED : []),
  ...(status === '429' || status === '503' ? (['Retry-After'] as const) : []),
]
