import { z } from 'zod'
import type { HttpBinding, Operation } from './operation.ts'

export type JsonObject = Record<string, unknown>

type Route = Operation & { readonly http: HttpBinding }

/** The names of the `:parameters` of a path. */
export const pathParameters = (path: string): string[] =>
  [...path.matchAll(/:([A-Za-z]+)/g)].map((match) => match[1] ?? '')

/** True for methods whose input, apart from path parameters, is a body. */
export const hasBody = (http: Pick<HttpBinding, 'method'>): boolean => !['GET', 'DELETE'].includes(http.method)

/** Members of an input that are the preconditions of a request, and the headers they stand in (RFC 9110 §13.1). */
export const PRECONDITIONS = { ifMatch: 'If-Match', ifNoneMatch: 'If-None-Match' } as const

/** Members of an input that the gateway fills in. */
const BY_THE_EDGE: readonly string[] = [
  'requester',
  'registration_access_token',
  'replacedSession',
  ...Object.keys(PRECONDITIONS),
]

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): JsonObject => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io, unrepresentable: 'any' })
  return rest
}

/** What leaves over HTTP: the output without the members that leave as headers or cookies. */
export function publicOutput(op: Route): JsonObject {
  const schema = jsonSchema(op.output, 'output')
  const properties = (schema.properties ?? {}) as JsonObject
  if (op.http.paid) return properties.result as JsonObject
  const inHead = [...(op.http.sessionCookie === 'sets' ? ['sessionToken'] : []), ...(op.http.entityTag ? ['etag'] : [])]
  if (inHead.length === 0) return schema
  const shown = Object.fromEntries(Object.entries(properties).filter(([name]) => !inHead.includes(name)))
  return { ...schema, properties: shown, required: Object.keys(shown) }
}

/** What a client gives: the parameters, and the body where there is one, as OpenAPI has them. */
export function inputParts(op: Route): JsonObject {
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
