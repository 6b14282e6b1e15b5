import { hasBody, IN_HEADERS, pathParameters } from '../http-parts.ts'
import type { Route } from '../operation.ts'
import { type Components, pascalCase } from './components.ts'
import { requestHeadersOf } from './headers.ts'
import { isObject, type JsonObject } from './json-schema.ts'

/** Input members that the gateway fills in. */
export const BY_THE_EDGE: readonly string[] = [
  'requester',
  'registration_access_token',
  'replacedSession',
  'routerKey',
  'signInWithX',
  ...IN_HEADERS.keys(),
]

/** What a client sends: parameters, and a body if any. */
export function requestOf(components: Components, op: Route, example: JsonObject): JsonObject {
  const input = components.behind(components.write(op.input, 'input'))
  const properties = isObject(input.properties) ? input.properties : {}
  const required = (input.required ?? []) as string[]
  const inPath = pathParameters(op.http.path)
  const rest = Object.keys(properties).filter((name) => !inPath.includes(name) && !BY_THE_EDGE.includes(name))
  const parameter = (name: string, where: 'path' | 'query') => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: properties[name],
    ...(where === 'query' && isArray(properties[name]) ? { style: 'form', explode: true } : {}),
    ...(name in example ? { example: example[name] } : {}),
  })
  const parameters = [
    ...inPath.map((name) => parameter(name, 'path')),
    ...(hasBody(op.http) ? [] : rest.map((name) => parameter(name, 'query'))),
    ...[...IN_HEADERS]
      .filter(([member]) => properties[member])
      .map(([member, name]) => ({ name, in: 'header', required: false, schema: asText(properties[member]) })),
    ...requestHeadersOf(op.http),
  ]
  if (!hasBody(op.http) || rest.length === 0) return { parameters }
  const body = rest.length === Object.keys(properties).length ? components.write(op.input, 'input') : pick(input, rest)
  const schema = components.keepDerived(`${pascalCase(op.id)}Request`, body)
  const shown = Object.fromEntries(Object.entries(example).filter(([name]) => rest.includes(name)))
  const mediaType = op.http.forms ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    parameters,
    requestBody: { ...descriptionOf(op), required: true, content: { [mediaType]: { schema, example: shown } } },
  }
}

function descriptionOf({ http, maxRequestBytes }: Route): JsonObject {
  if (http.forms) return { description: 'The same members are also accepted as `application/json`.' }
  return maxRequestBytes === undefined ? {} : { description: `At most ${maxRequestBytes} bytes.` }
}

/** A header's value: a constant becomes an enum of one, which client generators support in headers. */
const asText = (schema: unknown): JsonObject => {
  const { const: only, ...rest } = isObject(schema) ? schema : {}
  return only === undefined ? rest : { ...rest, enum: [only] }
}

const isArray = (schema: unknown): boolean => isObject(schema) && schema.type === 'array'

/** Returns an object's schema reduced to some of its members. */
export function pick(schema: JsonObject, names: readonly string[]): JsonObject {
  const { properties = {}, required = [] } = schema as { properties?: JsonObject; required?: string[] }
  const kept = required.filter((name) => names.includes(name))
  const { required: _, ...rest } = schema
  return {
    ...rest,
    properties: Object.fromEntries(names.map((name) => [name, properties[name]])),
    ...(kept.length > 0 ? { required: kept } : {}),
  }
}
