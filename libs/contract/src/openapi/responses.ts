import { Offer, V1PaymentRequired } from '@callboard/x402'
import { isShared, pathParameters } from '../http-parts.ts'
import type { Route } from '../operation.ts'
import type { RefusalDeclaration } from '../refusal.ts'
import { edge } from '../refusals.ts'
import { refusalsOf } from '../routes.ts'
import { type Components, pascalCase } from './components.ts'
import { errorBody, type SentRefusal, SURFACE_NAMES } from './errors.ts'
import { headersOf, headersOfRefusals, headersOfSuccess, headersOfUnchanged } from './headers.ts'
import { isObject, type JsonObject } from './json-schema.ts'
import { pick } from './requests.ts'

/** A route under one of its paths: its own, or a deprecated alias. */
export interface RoutePath {
  readonly op: Route
  readonly path: string
  readonly isAlias: boolean
}

/** Every answer of a route under one of its paths, by status. */
export function responsesOf(components: Components, at: RoutePath, example: unknown): JsonObject {
  const { op, isAlias } = at
  const byStatus = Map.groupBy(refusalsOf(op), ({ status }) => status)
  const refused = [...byStatus].map(([status, declarations]) => [
    String(status),
    refusalResponse(components, at, declarations),
  ])
  const isTagged = isShared(op.http) || (op.http.entityTag && op.http.method === 'GET')
  const unchanged = isTagged
    ? { 304: { description: 'Not modified.', headers: headersOf(headersOfUnchanged(op.http, isAlias)) } }
    : {}
  return { [op.http.ok]: success(components, at, example), ...unchanged, ...Object.fromEntries(refused) }
}

function success(components: Components, { op, isAlias }: RoutePath, example: unknown): JsonObject {
  const { http } = op
  const headers = headersOf(headersOfSuccess(http, isAlias))
  if (http.ok === 204) return { description: 'Done; no body.', headers }
  const mediaType = http.mediaType?.split(';')[0] ?? 'application/json'
  const schema = components.keepDerived(`${pascalCase(op.id)}Result`, publicOutput(components, op))
  const description = op.stream ? `${op.summary}; as \`text/event-stream\` if \`stream\` asks for it.` : op.summary
  return { description, headers, content: { [mediaType]: { schema, example: publicExample(op, example) } } }
}

/** Output members sent in headers of the answer. */
const inHead = ({ http }: Route): string[] => [
  ...(http.sessionCookie === 'sets' ? ['sessionToken'] : []),
  ...(http.entityTag ? ['etag'] : []),
  ...(http.signed ? ['messageSignature'] : []),
]

/** What is sent as the body: the result of a paid operation; otherwise all members that are not sent in headers. */
function publicOutput(components: Components, op: Route): JsonObject {
  if (op.http.answer) return components.write(op.http.answer, 'output')
  const written = components.write(op.output, 'output')
  if (!op.http.paid && inHead(op).length === 0) return written
  const output = components.behind(written)
  const properties = isObject(output.properties) ? output.properties : {}
  if (op.http.paid) return properties.result as JsonObject
  return pick(
    output,
    Object.keys(properties).filter((name) => !inHead(op).includes(name)),
  )
}

/** An output's example in the form in which its body is sent. */
export function publicExample(op: Route, example: unknown): unknown {
  if (!isObject(example)) return example
  if (op.http.paid) return example.result
  return Object.fromEntries(Object.entries(example).filter(([name]) => !inHead(op).includes(name)))
}

/** Refusals that the server sends before it has read the request are in the API's one shape. */
const OF_UNREAD: readonly RefusalDeclaration[] = [edge.requestTimeout, edge.headersTooLarge]

function sentAs(op: Route, declaration: RefusalDeclaration): SentRefusal[] {
  const { surface = 'api' } = op.http
  if (OF_UNREAD.includes(declaration)) return [{ declaration, surface: 'api' }]
  if (surface === 'api') return [{ declaration, surface }]
  const isOfPathToo = declaration === edge.invalidRequest && pathParameters(op.http.path).length > 0
  return [{ declaration, surface }, ...(isOfPathToo ? [{ declaration, surface: 'api' } as const] : [])]
}

function refusalResponse(
  components: Components,
  { op, isAlias }: RoutePath,
  declarations: readonly RefusalDeclaration[],
): JsonObject {
  const description = declarations.map(({ code, meaning }) => `\`${code}\`: ${meaning}`).join(' ')
  const headers = headersOf(headersOfRefusals(op.http, isAlias, declarations))
  if (op.http.paid && declarations.some(({ code }) => code === 'payment_required'))
    return { description, headers, content: offered(components) }
  const sent = declarations.flatMap((declaration) => sentAs(op, declaration))
  const schema = errorBody(components, sent)
  const response = { description, headers, content: { 'application/json': { schema } } }
  const [one, ...others] = sent
  if (one === undefined || others.length > 0) return response
  const name = `${pascalCase(one.declaration.code)}${SURFACE_NAMES[one.surface]}`
  return components.shareResponse(name, response)
}

/** The offer of a paid operation: in the header, and in the body, where version 1 clients may find theirs. */
const offered = (components: Components): JsonObject => ({
  'application/json': {
    schema: { oneOf: [components.write(Offer, 'output'), components.write(V1PaymentRequired.out, 'output')] },
  },
})
