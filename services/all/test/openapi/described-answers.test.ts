import { edgeRoutes, hasBody, LIMITS, pathItems, routes } from '@callboard/contract'
import { signedMessage, wallet } from '@callboard/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Instance } from '../instance.ts'
import { Described } from './described.ts'

interface Shown {
  readonly operationId: string
  readonly parameters: readonly { readonly name?: string; readonly in?: string; readonly example?: unknown }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> }
}

const instance = new Instance()
let described: Described
let shown: ReadonlyMap<string, Shown>
let cookie: string
let apiKey: string

const WIDE = Object.fromEntries(Object.keys(LIMITS).map((name) => [name, { burst: 10_000, perMinute: 60_000 }]))

beforeAll(async () => {
  await instance.start(['--no-demo'], { RATE_LIMITS: JSON.stringify(WIDE) })
  const document = (await (await fetch(`${instance.baseUrl}/openapi.json`)).json()) as Record<string, unknown>
  described = new Described(document)
  const operations = Object.values(pathItems(document)).flatMap((item) => Object.values(item)) as unknown as Shown[]
  shown = new Map(operations.map((operation) => [operation.operationId, operation]))
  cookie = await signIn()
  const made = await send('POST', '/api/keys', { ...asOwner(), ...json }, JSON.stringify({ label: 'test' }))
  apiKey = ((await made.json()) as { key: string }).key
}, 120_000)
afterAll(() => instance.dispose())

const json = { 'content-type': 'application/json' }
const asOwner = () => ({ cookie, origin: instance.baseUrl })

const send = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
  fetch(instance.baseUrl + path, { method, headers, redirect: 'manual', ...(body === undefined ? {} : { body }) })

async function signIn(): Promise<string> {
  const { baseUrl } = instance
  const { nonce } = (await (await send('GET', '/api/auth/siwe-nonce?purpose=login')).json()) as { nonce: string }
  const signed = await signedMessage(wallet(1), { purpose: 'login', nonce, baseUrl })
  const answer = await send('POST', '/api/auth/session', json, JSON.stringify(signed))
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

/** The request that the document shows as its example. */
function exampleOf(id: string, path: string) {
  const { parameters = [], requestBody } = shown.get(id) ?? {}
  const given = (where: string) =>
    parameters.flatMap(({ in: place, name, example }) =>
      place === where && name && example !== undefined ? [[name, String(example)] as const] : [],
    )
  const inPath = given('path').reduce(
    (left, [name, value]) => left.replace(`:${name}`, encodeURIComponent(value)),
    path,
  )
  const query = new URLSearchParams(given('query').map((pair) => [...pair]))
  const [[mediaType = '', { example = undefined } = {}] = []] = Object.entries(requestBody?.content ?? {})
  const isForm = mediaType.endsWith('form-urlencoded')
  const body = isForm ? String(new URLSearchParams(example as Record<string, string>)) : JSON.stringify(example)
  return {
    path: query.size > 0 ? `${inPath}?${query}` : inPath,
    headers: (requestBody ? { 'content-type': mediaType } : {}) as Record<string, string>,
    body: requestBody ? body : undefined,
  }
}

/** Operations that end the owner's session come last: the session is void afterwards. */
const ENDS = ['oauth.endSession', 'oauth.deleteSession', 'oauth.endSessions']
const ordered = routes().toSorted((one, other) => ENDS.indexOf(one.id) - ENDS.indexOf(other.id))

test.each(ordered.map((route) => [route.id, route] as const))(
  '%s answers as described: to its example, with each credential, and to bad requests',
  async (id, { http }) => {
    const { path, headers, body } = exampleOf(id, http.path)
    const asked = await Promise.all([
      send(http.method, path, headers, body),
      send(http.method, path, { ...headers, authorization: 'Bearer unknown' }, body),
      send(http.method, path, { ...headers, authorization: `Bearer ${apiKey}` }, body),
      send(http.method, `${path.split('?')[0]}?nope=1`, { ...headers, authorization: `Bearer ${apiKey}` }, body),
      ...(http.path.includes(':')
        ? [send(http.method, http.path.replace(/:\w+/, 'a'.repeat(300)), headers, body)]
        : []),
      ...(hasBody(http)
        ? [
            send(http.method, path, { ...json, authorization: `Bearer ${apiKey}` }, '{'),
            send(http.method, path, { ...json, ...asOwner() }, '{'),
            send(http.method, path, { 'content-type': 'text/plain', authorization: `Bearer ${apiKey}` }, 'x'),
            send(http.method, path, { ...json, authorization: `Bearer ${apiKey}` }, 'x'.repeat(300_000)),
          ]
        : []),
    ])
    const ofOwner = await send(http.method, path, { ...headers, ...asOwner() }, body)
    const differences = await Promise.all([...asked, ofOwner].map((answer) => described.differences(id, answer)))
    expect(differences.flat()).toEqual([])
  },
)

const aliases = routes().flatMap(({ http }) => (http.aliases ?? []).map((path) => [path, http] as const))
test.each(aliases)('%s, a deprecated alias, answers as described', async (path, http) => {
  const operation = [...shown.keys()].find((id) =>
    id.endsWith(`.${path.split('/')[2]?.replace(/^./, (c) => c.toUpperCase())}`),
  )
  expect(operation).toBeDefined()
  const answers = await Promise.all([send(http.method, path), send(http.method, `${path}?nope=1`)])
  const differences = await Promise.all(answers.map((answer) => described.differences(operation ?? '', answer)))
  expect(differences.flat()).toEqual([])
})

test.each(edgeRoutes.map((route) => [route.id, route] as const))(
  '%s, a route of the gateway itself, answers as described',
  async (id, { method, path, form }) => {
    cookie = await signIn()
    const headers: Record<string, string> = form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}
    const body = form ? 'csrf=x' : undefined
    const answers = await Promise.all([
      send(method, path, headers, body),
      send(method, path, { ...headers, ...asOwner() }, body),
      send(method, path, { ...headers, 'if-none-match': '*' }, body),
      ...(form
        ? [send(method, path, { ...json, ...asOwner() }, '{}'), send(method, path, headers, 'x'.repeat(40_000))]
        : []),
    ])
    const differences = await Promise.all(answers.map((answer) => described.differences(id, answer)))
    expect(differences.flat()).toEqual([])
  },
)

test('headers that are too large are refused in the API’s format everywhere', async () => {
  const large = { 'x-large': 'a'.repeat(70_000) }
  for (const [id, method, path] of [
    ['catalog.discovery', 'GET', '/api/call/discovery'],
    ['oauth.token', 'POST', '/oauth/token'],
    ['gateway.accountPage', 'GET', '/account'],
  ] as const) {
    const answer = await send(method, path, large)
    expect(answer.status).toBe(431)
    expect(await described.differences(id, answer)).toEqual([])
  }
})
