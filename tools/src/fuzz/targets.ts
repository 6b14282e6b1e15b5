import { type HttpBinding, hasBody, IN_HEADERS, type Operation, pathParameters, routes } from '@callboard/contract'
import { z } from 'zod'

export type JsonSchema = Readonly<Record<string, unknown>>

/** One method and path of the public interface. */
export interface Target {
  readonly name: string
  readonly method: string
  /** With `:name` parameters. */
  readonly path: string
  /** Its declaration in the contract; a page or document of the gateway has none. */
  readonly op?: Operation & { readonly http: HttpBinding }
  /** Its input, in the path and in the query or the body. */
  readonly input: JsonSchema
  readonly takesBody: boolean
  readonly takesForm: boolean
}

/** Members that the edge fills in and no client sends. */
const BY_THE_EDGE = ['requester', 'registration_access_token', 'replacedSession', ...IN_HEADERS.keys()]

const text = (names: readonly string[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
})

const AUTHORIZATION = [
  ...['response_type', 'client_id', 'redirect_uri', 'scope', 'state', 'resource', 'prompt'],
  ...['code_challenge', 'code_challenge_method'],
]

const JSON_RPC = '/a2a'

/** What the gateway serves in addition to the contract: pages, which take a query or a form, and documents. */
const OWN: readonly (readonly [method: 'GET' | 'POST', path: string, members: readonly string[]])[] = [
  ['GET', '/', ['q', 'cursor', 'includeUnverified']],
  ['GET', '/call/invoke', ['url', 'method', 'schema', 'network', 'sig']],
  ['GET', '/account', ['session', 'key', 'agent', 'device', 'grant']],
  ['GET', '/account/end', ['what', 'id', 'kind']],
  ['POST', '/account', ['csrf', 'what', 'id', 'kind']],
  ['GET', '/signin', ['return_to', 'again']],
  ['GET', '/link', ['user_code']],
  ['POST', '/link', ['csrf', 'user_code', 'decision', 'scopes', 'router_allowance_usd', 'trust']],
  ['GET', '/oauth/authorize', AUTHORIZATION],
  ...['/mcp', '/mcp/health', JSON_RPC, '/.well-known/agent-card.json', '/api/router/keys', '/v1/models'].map(
    (path) => ['GET', path, ['id']] as const,
  ),
  ['POST', JSON_RPC, ['jsonrpc', 'id', 'method', 'params']],
  ['POST', '/oauth/authorize', ['csrf', 'query', 'decision', 'scopes']],
  ...['/docs', '/openapi.json', '/favicon.svg', '/signin.js'].map((path) => ['GET', path, []] as const),
  ...['oauth-authorization-server', 'oauth-protected-resource', 'oauth-protected-resource/mcp'].map(
    (name) => ['GET', `/.well-known/${name}`, []] as const,
  ),
]

/** Everything that is served, each deprecated path as a target of its own. */
export const targets: readonly Target[] = [
  ...routes().flatMap((op) => [op.http.path, ...(op.http.aliases ?? [])].map((path) => ofContract(op, path))),
  ...OWN.map(([method, path, members]) => ({
    name: `${method} ${path}`,
    ...{ method, path, input: text(members) },
    takesBody: method === 'POST',
    takesForm: method === 'POST' && path !== JSON_RPC,
  })),
]

function ofContract(op: Operation & { readonly http: HttpBinding }, path: string): Target {
  const schema = z.toJSONSchema(op.input, { target: 'draft-2020-12', io: 'input', unrepresentable: 'any' })
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !BY_THE_EDGE.includes(name))
  return {
    name: path === op.http.path ? op.id : `${op.id} at ${path}`,
    ...{ method: op.http.method, path, op },
    input: { ...schema, properties: Object.fromEntries(properties) } as JsonSchema,
    takesBody: hasBody(op.http),
    takesForm: op.http.forms === true,
  }
}

const segmentsOf = (path: string): readonly string[] => path.split('/')

/** The target that a request's method and path reach; a literal segment takes precedence over a parameter. */
export function targetAt(method: string, path: string): Target | undefined {
  const asked = segmentsOf(path)
  const matching = targets.filter((target) => {
    const own = segmentsOf(target.path)
    if (target.method !== (method === 'HEAD' ? 'GET' : method) || own.length !== asked.length) return false
    return own.every((segment, at) => (segment.startsWith(':') ? asked[at] !== '' : segment === asked[at]))
  })
  return matching.toSorted(({ path: one }, { path: other }) => (parametersAt(one) < parametersAt(other) ? -1 : 1))[0]
}

const parametersAt = (path: string): string =>
  segmentsOf(path)
    .map((segment) => (segment.startsWith(':') ? '1' : '0'))
    .join('')

/** The names of a target's path parameters. */
export const inPath = ({ path }: Target): readonly string[] => pathParameters(path)
