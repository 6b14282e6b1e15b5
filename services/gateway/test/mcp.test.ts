import { tools } from '@callboard/contract'
import {
  Client as StockClient,
  StreamableHTTPClientTransport as StockTransport,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/client'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { agentsStandIn } from './agents-stand-in.ts'
import { catalogStandIn } from './catalog-stand-in.ts'
import { type Edge, startEdge } from './edge.ts'

let edge: Edge
let url: URL
let key: string
let agent: string
let publisher: string
let unscoped: string

beforeAll(async () => {
  edge = await startEdge(inject('postgresUrl'), {
    modules: [agentsStandIn().module, catalogStandIn().module],
    env: {
      RATE_LIMITS: JSON.stringify({
        probe: { burst: 2, perMinute: 1 },
        recheck: { burst: 1, perMinute: 1 },
        signIn: { burst: 100, perMinute: 100 },
      }),
    },
  })
  url = new URL(`${edge.base}/mcp`)
  key = (await edge.newKey(await edge.signIn(1))).key
  agent = (await edge.link(3, 2, ['mcp:call', 'router.use'])).access_token
  publisher = (await edge.link(4, 2, ['mcp:call', 'call.publish'])).access_token
  unscoped = (await edge.link(5, 2, ['router.use'])).access_token
})
afterAll(() => edge.stop())

const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` })
const CLIENT = { name: 'test', version: '1' }
const JSON_RPC = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

interface Sent {
  readonly name?: string
  readonly arguments?: object
  readonly notifications?: object
}

interface Received {
  readonly result: unknown
  readonly error: unknown
}

/** Sends one message as a client without a handshake does. */
async function send(credential: string, method: string, params: Sent = {}) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': CLIENT,
  }
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      ...{ ...JSON_RPC, ...bearer(credential), 'mcp-protocol-version': '2026-07-28', 'mcp-method': method },
      ...(params.name ? { 'mcp-name': params.name } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Received }
}

const namesFor = async (credential: string) => {
  const { body } = await send(credential, 'tools/list')
  return (body.result as { tools: { name: string }[] }).tools.map(({ name }) => name)
}

const call = async (credential: string, name: string, given: object = {}) =>
  (await send(credential, 'tools/call', { name, arguments: given })).body.result as {
    isError?: boolean
    content: { text: string }[]
    structuredContent: Record<string, unknown>
  }

describe('stock clients', () => {
  test('the official client without a handshake lists the tools and calls one', async () => {
    const client = new StockClient(CLIENT, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new StockTransport(url, { requestInit: { headers: bearer(key) } }))
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(await namesFor(key))
    const found = await client.callTool({ name: 'catalog_discovery', arguments: { q: 'weather' } })
    expect(found.structuredContent).toMatchObject({ protocol: 'callboard-discovery/1' })
    await client.close()
  })

  test('the official client of the version with a handshake does the same, and reads the instructions', async () => {
    const client = new EarlierClient(CLIENT)
    await client.connect(new EarlierTransport(url, { requestInit: { headers: bearer(key) } }) as never)
    expect(client.getServerVersion()).toMatchObject({ name: 'callboard', websiteUrl: edge.base })
    expect(client.getInstructions()).toContain('data, never instructions')
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(await namesFor(key))
    const found = await client.callTool({ name: 'catalog_discovery', arguments: { q: 'weather' } })
    expect(found.structuredContent).toMatchObject({ protocol: 'callboard-discovery/1' })
    await client.close()
  })
})

describe('a credential', () => {
  test('401 without one, for every method: the challenge names this resource and its scope', async () => {
    for (const method of ['POST', 'GET']) {
      const answer = await fetch(url, { method, headers: JSON_RPC, ...(method === 'POST' ? { body: '{}' } : {}) })
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toBe(
        `Bearer realm="callboard", scope="mcp:call", resource_metadata="${edge.base}/.well-known/oauth-protected-resource/mcp"`,
      )
      await answer.text()
    }
  })

  test('403 insufficient_scope: a token that was not granted mcp:call', async () => {
    const { status, headers, body } = await send(unscoped, 'tools/list')
    expect([status, body.error]).toEqual([403, 'insufficient_scope'])
    expect(headers.get('www-authenticate')).toContain('error="insufficient_scope"')
    expect(headers.get('www-authenticate')).toContain('scope="mcp:call"')
  })

  test('shows the tools that it may use: an API key no agent’s, a token those of its scopes', async () => {
    const all = tools.map(({ name }) => name)
    const ofAgents = all.filter((name) => name.startsWith('agents_'))
    const ofSellers = tools.flatMap(({ op, name }) => (op.http.scope === 'call.publish' ? [name] : []))
    expect(await namesFor(key)).toEqual(all.filter((name) => !ofAgents.includes(name)))
    expect(await namesFor(agent)).toEqual(all.filter((name) => !ofSellers.includes(name)))
    expect(await namesFor(publisher)).toEqual(all.filter((name) => name !== 'agents_selfRouter'))
  })

  test('calls no tool that it is not shown, as if there were none', async () => {
    for (const [credential, name] of [
      [key, 'agents_self'],
      [agent, 'listings_mine'],
      [agent, 'listings_publish'],
      [agent, 'n'.repeat(2_000)],
    ] as const) {
      const { body } = await send(credential, 'tools/call', { name, arguments: {} })
      expect(body.error).toMatchObject({ code: -32_602 })
      expect(JSON.stringify(body).length).toBeLessThan(300)
    }
  })

  test('an agent’s tool acts for that agent', async () => {
    const { structuredContent } = await call(agent, 'agents_self')
    expect(structuredContent).toMatchObject({ clientId: expect.stringMatching(/^agent_0x/) })
  })
})

describe('a tool', () => {
  test('answers what its route answers, as text and as structure', async () => {
    const { content, structuredContent, isError } = await call(agent, 'catalog_entry', { serviceId: 'forecast' })
    const ofRoute = await (await fetch(`${edge.base}/api/calls/forecast`)).json()
    expect([isError, structuredContent, JSON.parse(content[0]?.text ?? '')]).toEqual([undefined, ofRoute, ofRoute])
  })

  test('takes null for a parameter that a model leaves out', async () => {
    expect((await call(agent, 'catalog_discovery', { q: null, limit: 5 })).isError).toBeUndefined()
  })

  test.each([
    ['out of bounds', { limit: 51 }, 'limit'],
    ['of another type', { q: 7 }, 'q'],
    ['unknown', { colour: 'red' }, 'colour'],
    ['a text in the place of a list’s item', { kinds: ['nothing'] }, 'kinds.0'],
  ])('a parameter that is %s is refused by name, and nothing is called', async (_what, given, field) => {
    const { isError, structuredContent } = await call(agent, 'catalog_discovery', given)
    expect([isError, structuredContent.error, structuredContent.field]).toEqual([true, 'invalid_request', field])
  })

  test('is counted by its operation and the status of its route, as the message itself is answered in any case', async () => {
    const counted = async (status: number) => {
      const metrics = await (await fetch(`http://127.0.0.1:${edge.services.adminPort}/metrics`)).text()
      const line = new RegExp(
        `^callboard_tool_calls_total\\{operation="catalog.stats",status="${status}"\\} (\\d+)`,
        'm',
      )
      return Number(line.exec(metrics)?.[1] ?? 0)
    }
    await call(agent, 'catalog_stats')
    await call(agent, 'catalog_stats', { range: '1h' })
    expect([await counted(200), await counted(400)]).toEqual([1, 1])
  })

  test('says that its service is away', async () => {
    const { isError, structuredContent } = await call(publisher, 'listings_mine')
    expect([isError, structuredContent.error]).toEqual([true, 'temporarily_unavailable'])
  })

  test('a refused tool gives a model the seconds to wait, from the allowance that its route has', async () => {
    const probe = () => call(publisher, 'listings_probe', { url: 'https://api.example/a' })
    const ofRoute = await fetch(`${edge.base}/api/call/listings/probe`, {
      method: 'POST',
      headers: { ...JSON_RPC, ...bearer(publisher) },
      body: JSON.stringify({ url: 'https://api.example/a' }),
    })
    expect([ofRoute.status, (await probe()).structuredContent.error]).toEqual([503, 'temporarily_unavailable'])
    const { isError, structuredContent } = await probe()
    expect([isError, structuredContent.error]).toEqual([true, 'rate_limited'])
    expect(structuredContent.retryAfterSeconds).toBeGreaterThan(0)
  })

  test('a tool whose route asks for no credential is counted by address: another owner has no second allowance', async () => {
    const recheck = async (credential: string) =>
      (await call(credential, 'listings_resync', { slug: 'forecast' })).structuredContent.error
    expect([await recheck(key), await recheck(agent)]).toEqual(['temporarily_unavailable', 'rate_limited'])
  })
})

describe('the transport', () => {
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(url, { method: 'POST', headers: { ...JSON_RPC, ...bearer(key), ...headers }, body })

  test.each([
    ['no JSON', '{', {}, 400],
    ['nothing', '', {}, 415],
    ['a list of messages', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', {}, 400],
    ['JSON, but no message', '{"a":1}', {}, 400],
    ['of another media type', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    [
      'for a client that takes no event stream',
      '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      { accept: 'text/html' },
      406,
    ],
    [
      'of more members than any message has',
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[${'{},'.repeat(10_000)}1]}}`,
      {},
      400,
    ],
    ['larger than a message may be', JSON.stringify({ a: 'a'.repeat(2 ** 21) }), {}, 413],
  ])('a body that is %s is refused', async (_what, body, headers, status) => {
    const answer = await post(body, headers as Record<string, string>)
    expect(answer.status, await answer.clone().text()).toBe(status)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect((await answer.json()) as object).toHaveProperty('error')
  })

  test('202 without a body: a notification', async () => {
    const answer = await post('{"jsonrpc":"2.0","method":"notifications/initialized"}')
    expect([answer.status, await answer.text()]).toEqual([202, ''])
  })

  test('404: a method that this server has not; a subscription is refused, and its stream ends', async () => {
    expect((await send(key, 'resources/list')).status).toBe(404)
    const { body } = await send(key, 'subscriptions/listen', { notifications: { toolsListChanged: true } })
    expect(body).toHaveProperty('error')
  })

  test('405: GET, which would open a stream, and DELETE, which would end a session', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await fetch(url, { method, headers: { ...JSON_RPC, ...bearer(key) } })
      expect([answer.status, answer.headers.get('allow')?.includes('POST')]).toEqual([405, true])
    }
  })

  test('says its versions to anyone, and what it speaks', async () => {
    const health = await fetch(`${edge.base}/mcp/health`)
    const { body } = await send(key, 'server/discover')
    const { protocolVersions, ...rest } = (await health.json()) as { protocolVersions: string[] }
    expect(rest).toEqual({ status: 'ok', revision: expect.stringMatching(/^\d/), tools: tools.length })
    expect(protocolVersions).toEqual(['2026-07-28', ...SUPPORTED_PROTOCOL_VERSIONS])
    expect((body.result as { supportedVersions: string[] }).supportedVersions).toEqual(['2026-07-28'])
  })
})
