import { connect } from 'node:net'
import { type Message, Role } from '@a2a-js/sdk'
import {
  type Client,
  ClientFactory,
  createAuthenticatingFetchWithRetry,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from '@a2a-js/sdk/client'
import { AgentCard, type AgentMessage, tools } from '@callboard/contract'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { agentsStandIn } from './agents-stand-in.ts'
import { catalogStandIn } from './catalog-stand-in.ts'
import { type Edge, startEdge } from './edge.ts'

let edge: Edge
let url: string
let key: string
let agent: string
let publisher: string

beforeAll(async () => {
  edge = await startEdge(inject('postgresUrl'), {
    modules: [agentsStandIn().module, catalogStandIn().module],
    env: {
      RATE_LIMITS: JSON.stringify({
        recheck: { burst: 1, perMinute: 1 },
        signIn: { burst: 100, perMinute: 100 },
      }),
    },
  })
  url = `${edge.base}/a2a`
  key = (await edge.newKey(await edge.signIn(1))).key
  agent = (await edge.link(3, 2, ['router.use'])).access_token
  publisher = (await edge.link(4, 2, ['call.publish'])).access_token
})
afterAll(() => edge.stop())

const bearer = (credential: string | undefined): Record<string, string> =>
  credential ? { authorization: `Bearer ${credential}` } : {}

interface Answer {
  readonly id: unknown
  readonly result?: { readonly message: AgentMessage }
  readonly error?: { readonly code: number; readonly message: string; readonly data?: readonly object[] }
}

interface Sending {
  readonly credential?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: string
}

const post = (body: string, { credential, headers, query = '' }: Sending = {}) =>
  fetch(url + query, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0', ...bearer(credential), ...headers },
    body,
  })

/** Sends a request, and expects an answer of JSON-RPC. */
async function rpc(method: string, params: unknown, sending: Sending = {}): Promise<Answer> {
  const answer = await post(JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }), sending)
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
  const body = (await answer.json()) as Answer
  expect(body.id).toBe(7)
  return body
}

const message = (part: unknown, more: object = {}) => ({
  message: { messageId: 'm1', role: 'ROLE_USER', parts: [part], ...more },
})

/** Calls a skill. @returns its outcome and its data */
async function call(skill: string, input: object, credential?: string) {
  const { result, error } = await rpc('SendMessage', message({ data: { skill, input } }), {
    ...(credential ? { credential } : {}),
  })
  expect(error).toBeUndefined()
  const { parts, metadata } = result?.message ?? {}
  expect(metadata?.['callboard.skill']).toBe(skill)
  return { outcome: metadata?.['callboard.outcome'], data: parts?.[0]?.data ?? {} }
}

describe('the stock client', () => {
  const stock = (fetchImpl: typeof fetch = fetch): Promise<Client> =>
    new ClientFactory({
      transports: [new JsonRpcTransportFactory({ fetchImpl })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
    }).createFromUrl(edge.base)

  const sent = (content: NonNullable<Message['parts'][number]['content']>) => ({
    tenant: '',
    message: {
      ...{ messageId: 'm1', contextId: '', taskId: '', role: Role.ROLE_USER, metadata: undefined },
      ...{ extensions: [], referenceTaskIds: [] },
      parts: [{ content, metadata: undefined, filename: '', mediaType: '' }],
    },
    configuration: undefined,
    metadata: undefined,
  })

  test('finds the agent by its card, and its skills by name', async () => {
    const card = await (await stock()).getAgentCard()
    expect(card.supportedInterfaces).toMatchObject([{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }])
    expect(card.skills.map(({ id }) => id)).toEqual(tools.map(({ name }) => name))
    expect(card.securitySchemes.accessToken?.scheme).toMatchObject({
      $case: 'oauth2SecurityScheme',
      value: { flows: { flow: { $case: 'authorizationCode', value: { tokenUrl: `${edge.base}/oauth/token` } } } },
    })
  })

  test('searches by a text, and calls a skill by name', async () => {
    const client = await stock()
    const bySearch = (await client.sendMessage(sent({ $case: 'text', value: 'weather' }))) as Message
    expect(bySearch.role).toBe(Role.ROLE_AGENT)
    expect(bySearch.metadata).toEqual({ 'callboard.skill': 'catalog_discovery', 'callboard.outcome': 'answered' })
    expect(bySearch.parts[0]?.content?.value).toMatchObject({ protocol: 'callboard-discovery/1' })
    const data = { skill: 'catalog_entry', input: { serviceId: 'forecast' } }
    const byName = (await client.sendMessage(sent({ $case: 'data', value: data }))) as Message
    const ofRoute = await (await fetch(`${edge.base}/api/calls/forecast`)).json()
    expect(byName.parts[0]?.content?.value).toEqual(ofRoute)
  })

  test('is asked for a credential by a skill that needs one, and repeats the message with it', async () => {
    const client = await stock(
      createAuthenticatingFetchWithRetry(fetch, {
        headers: async () => ({}),
        shouldRetryWithHeaders: async (_request, { status }) => (status === 401 ? bearer(agent) : undefined),
      }),
    )
    const answer = (await client.sendMessage(sent({ $case: 'data', value: { skill: 'agents_self' } }))) as Message
    expect(answer.parts[0]?.content?.value).toMatchObject({ clientId: expect.stringMatching(/^agent_0x/) })
  })

  test('is told by the protocol’s own errors that there are no tasks', async () => {
    const client = await stock()
    await expect(client.getTask({ tenant: '', id: 't1', historyLength: undefined })).rejects.toMatchObject({
      reason: 'TASK_NOT_FOUND',
    })
  })
})

describe('the card', () => {
  test('is a document of its own, described by its schema', async () => {
    const answer = await fetch(`${edge.base}/.well-known/agent-card.json`)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=3600'])
    expect(AgentCard.strict().parse(await answer.json()).capabilities).toEqual({
      ...{ streaming: false, pushNotifications: false, extendedAgentCard: false },
    })
  })

  test('says which credentials each skill takes: none, a bearer, an agent’s, with the scope of its route', async () => {
    const { skills } = AgentCard.parse(await (await fetch(`${edge.base}/.well-known/agent-card.json`)).json())
    const needs = (id: string) => skills.find((skill) => skill.id === id)?.securityRequirements
    expect(needs('catalog_discovery')).toBeUndefined()
    expect(needs('agents_selfRouter')).toEqual([{ schemes: { accessToken: { list: ['router.use'] } } }])
    expect(needs('listings_mine')).toEqual([
      { schemes: { apiKey: { list: [] } } },
      { schemes: { accessToken: { list: ['call.publish'] } } },
    ])
  })

  test('has an example of each skill’s message, which the skill’s schema takes', async () => {
    const { skills } = AgentCard.parse(await (await fetch(`${edge.base}/.well-known/agent-card.json`)).json())
    for (const { id, examples } of skills) {
      const example = JSON.parse(examples[0] ?? '') as { skill: string; input: object }
      expect(example.skill).toBe(id)
      const op = tools.find(({ name }) => name === id)?.op
      if (!op?.http.requester) expect(op?.input.safeParse(example.input).error, id).toBeUndefined()
    }
  })
})

describe('a credential', () => {
  const ask = (skill: string, sending: Sending) =>
    post(
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: message({ data: { skill } }) }),
      sending,
    )

  test('401 for a bad one, even where none is needed: the agent would act as somebody else than it thinks', async () => {
    for (const headers of [bearer('cb_key_unknown'), { authorization: 'Basic YTpi' }, { authorization: '' }]) {
      const answer = await ask('catalog_stats', { headers })
      expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([401, 'unauthorized'])
      expect(answer.headers.get('www-authenticate')).toContain(
        `resource_metadata="${edge.base}/.well-known/oauth-protected-resource"`,
      )
    }
  })

  test.each([
    ['no credential', 'agents_self', () => undefined, 401],
    ['an API key in the place of an agent’s token', 'agents_self', () => key, 401],
    ['a token without the scope', 'listings_mine', () => agent, 403],
  ])('%s: the skill is refused as its route would be, with a challenge', async (_what, skill, credential, status) => {
    const had = credential()
    const answer = await ask(skill, had ? { credential: had } : {})
    expect(answer.status).toBe(status)
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /)
    expect((await answer.json()) as object).toMatchObject({
      message: expect.stringContaining(`The skill ${skill} takes`),
    })
  })

  test('a skill acts for the caller of its message', async () => {
    expect(await call('agents_self', {}, agent)).toMatchObject({
      outcome: 'answered',
      data: { clientId: expect.stringMatching(/^agent_0x/) },
    })
  })

  test('any good token calls the skills that anyone may call', async () => {
    const { access_token } = await edge.link(5, 2, ['mcp:call'])
    expect((await ask('catalog_stats', { credential: access_token })).status).toBe(200)
  })
})

describe('a skill', () => {
  test.each([
    ['out of bounds', { limit: 51 }, 'limit'],
    ['of another type', { q: 7 }, 'q'],
    ['unknown', { colour: 'red' }, 'colour'],
  ])('an input that is %s is refused by name, as data', async (_what, input, field) => {
    const { outcome, data } = await call('catalog_discovery', input)
    expect([outcome, data.error, data.field]).toEqual(['refused', 'invalid_request', field])
    expect(data.request_id).toMatch(/\S/)
  })

  test('says that its service is away', async () => {
    const { outcome, data } = await call('listings_mine', {}, publisher)
    expect([outcome, data.error]).toEqual(['refused', 'temporarily_unavailable'])
  })

  test('takes from the allowance of its route, and says when there is more', async () => {
    const ofRoute = await fetch(`${edge.base}/api/call/listings/forecast/resync`, { method: 'POST' })
    expect(ofRoute.status).toBe(503)
    for (const credential of [undefined, key]) {
      const { outcome, data } = await call('listings_resync', { slug: 'forecast' }, credential)
      expect([outcome, data.error]).toEqual(['refused', 'rate_limited'])
      expect(data.retryAfterSeconds).toBeGreaterThan(0)
    }
  })

  test('the message itself counts as a read of its address or of its owner', async () => {
    for (const sending of [{}, { credential: key }]) {
      const answer = await post('{}', sending)
      expect(answer.headers.get('ratelimit')).toMatch(/^"read";/)
    }
  })
})

describe('a message', () => {
  const code = async (params: unknown) => (await rpc('SendMessage', params)).error?.code

  test('keeps the context that it came with, and gets one if it has none', async () => {
    const part = { text: 'weather' }
    const kept = await rpc('SendMessage', message(part, { contextId: 'c1' }))
    expect(kept.result?.message.contextId).toBe('c1')
    const made = await rpc('SendMessage', message(part))
    expect(made.result?.message.contextId).toMatch(/^[0-9a-f-]{36}$/)
  })

  test.each([
    ['of a task', message({ text: 'a' }, { taskId: 't1' }), -32_001],
    [
      'that asks for push notifications',
      { ...message({ text: 'a' }), configuration: { taskPushNotificationConfig: {} } },
      -32_003,
    ],
    ['with a file', message({ url: 'https://a.example' }), -32_005],
    ['with bytes', message({ raw: 'AA==' }), -32_005],
    ['with an unknown skill', message({ data: { skill: 'n'.repeat(2_000) } }), -32_602],
    ['with a skill that is only a route', message({ data: { skill: 'listings_publish' } }), -32_602],
    ['with members beside skill and input', message({ data: { skill: 'catalog_stats', range: '7d' } }), -32_602],
    ['with an input that is no object', message({ data: { skill: 'catalog_stats', input: [1] } }), -32_602],
    ['with data that is no object', message({ data: 'catalog_stats' }), -32_602],
    ['with text and data', message({ text: 'a', data: { skill: 'catalog_stats' } }), -32_602],
    ['with an empty part', message({}), -32_602],
    ['with a part that is null', message(null), -32_602],
    ['with a text that is a number', message({ text: 7 }), -32_602],
    ['with half a character', message({ text: '\ud800' }), -32_602],
    ['with two parts', { message: { ...message({}).message, parts: [{ text: 'a' }, { text: 'b' }] } }, -32_602],
    ['without parts', { message: { messageId: 'm1', role: 'ROLE_USER' } }, -32_602],
    ['without an id', message({ text: 'a' }, { messageId: '' }), -32_602],
    ['of an agent', message({ text: 'a' }, { role: 'ROLE_AGENT' }), -32_602],
    ['in the form of version 0.3', message({ kind: 'text', text: 'a' }, { role: 'user' }), -32_602],
    ['that is none', {}, -32_602],
  ])('%s is refused', async (_what, params, expected) => {
    const { error } = await rpc('SendMessage', params)
    expect(error?.code, JSON.stringify(error)).toBe(expected)
    expect(JSON.stringify(error).length).toBeLessThan(1_000)
    expect(error?.data?.length).toBe(1)
  })

  test('the refusal of a parameter names its place', async () => {
    expect((await rpc('SendMessage', message({ data: {} }))).error?.data).toEqual([
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        fieldViolations: [{ field: 'message.parts.0.data.skill', description: 'is required' }],
      },
    ])
  })

  test('a text that is longer than a query is refused as a query', async () => {
    const { result } = await rpc('SendMessage', message({ text: 'a'.repeat(201) }))
    expect(result?.message.parts[0]?.data).toMatchObject({ error: 'invalid_request', field: 'q' })
    expect(await code(message({ text: 'a', metadata: { any: 1 }, filename: 'a' }))).toBeUndefined()
  })
})

describe('the protocol', () => {
  test.each([
    ['SendStreamingMessage', -32_004],
    ['SubscribeToTask', -32_004],
    ['ListTasks', -32_004],
    ['GetExtendedAgentCard', -32_004],
    ['GetTask', -32_001],
    ['CancelTask', -32_001],
    ['CreateTaskPushNotificationConfig', -32_003],
    ['GetTaskPushNotificationConfig', -32_003],
    ['ListTaskPushNotificationConfigs', -32_003],
    ['DeleteTaskPushNotificationConfig', -32_003],
    ['message/send', -32_601],
    ['constructor', -32_601],
  ])('%s is refused with %s', async (method, code) => {
    expect((await rpc(method, {})).error?.code).toBe(code)
  })

  test.each([
    ['none, which is 0.3', { 'a2a-version': '' }, '', -32_009],
    ['0.3', { 'a2a-version': '0.3' }, '', -32_009],
    ['1.1', { 'a2a-version': '1.1' }, '', -32_009],
    ['1.0.2, whose patch counts for nothing', { 'a2a-version': '1.0.2' }, '', undefined],
  ])('version %s', async (_what, headers, query, code) => {
    expect((await rpc('SendMessage', message({ text: 'a' }), { headers, query })).error?.code).toBe(code)
  })

  test('the version may come as a parameter', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: message({ text: 'a' }) })
    const send = (query: string) =>
      fetch(url + query, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    expect((await (await send('')).json()) as object).toHaveProperty('error.code', -32_009)
    expect((await (await send('?A2A-Version=1.0')).json()) as object).toHaveProperty('result.message')
  })

  test.each([
    ['a list', '[{"jsonrpc":"2.0","id":1,"method":"GetTask"}]', -32_600],
    ['no request', '{"a":1}', -32_600],
    ['nothing', '', -32_600],
    ['a notification', '{"jsonrpc":"2.0","method":"SendMessage"}', -32_600],
    ['of another JSON-RPC', '{"jsonrpc":"1.0","id":1,"method":"GetTask"}', -32_600],
    ['with an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"GetTask"}', -32_600],
    ['no JSON', '{', -32_700],
    ['no UTF-8 text', '\u0000', -32_700],
    ['with a forbidden member', '{"__proto__":{}}', -32_700],
  ])('a body that is %s is refused', async (_what, body, code) => {
    const answer = await post(body)
    expect(answer.status).toBe(200)
    expect((await answer.json()) as object).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } })
  })

  test('a request that is not HTTP as it must be is refused as on every route', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.end('POST /a2a HTTP/1.1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
    const answer = (await socket.toArray()).join('')
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    expect(answer).toContain('"error":"invalid_request"')
  })

  test.each([
    ['of another media type', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['larger than a message may be', JSON.stringify({ a: 'a'.repeat(2 ** 21) }), {}, 413],
  ])('a body that is %s is refused as on every route', async (_what, body, headers, status) => {
    const answer = await post(body, { headers: headers as Record<string, string> })
    expect(answer.status).toBe(status)
    expect((await answer.json()) as object).toHaveProperty('message')
  })

  test('405: GET, as of an agent of other protocols; a page may send messages', async () => {
    const answer = await fetch(url)
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'a2a-version',
      },
    })
    expect(preflight.headers.get('access-control-allow-headers')).toContain('A2A-Version')
  })
})
