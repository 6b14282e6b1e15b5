import type { IncomingMessage, ServerResponse } from 'node:http'
import { livenessProber as operations } from '@callboard/contract'
import { encodeHeader } from '@callboard/x402'
import { describe, expect, test } from 'vitest'
import { offer, payableEntry } from './offers.ts'
import { oneProber } from './one-prober.ts'

const TIMEOUT_MS = 2_000

const prober = oneProber({ PROBE_TIMEOUT_MS: String(TIMEOUT_MS) })
const { serve, probe } = prober

interface Message {
  readonly id?: number
  readonly method: string
  readonly params?: { readonly name?: string; readonly arguments?: unknown; readonly cursor?: string }
}

/** One request as it reached a server. */
interface Reached {
  readonly verb: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly message: Message | undefined
}

type Respond = (message: Message, res: ServerResponse) => void

const OFFER = offer({ resource: { url: 'mcp://tool/quote' } })
const paid = (name: string, more: object = {}) => ({ name, annotations: { paymentHint: true }, ...more })

function answer(res: ServerResponse, { id }: Message, result: object, headers: Record<string, string> = {}): void {
  res.writeHead(200, { 'content-type': 'application/json', ...headers })
  res.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
}
const refuse = (res: ServerResponse, { id }: Message, code: number, message: string, status = 200) =>
  res
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }))

/** The answers of a server with two kinds of tools, unless a test overrides them. */
const stock: Readonly<Record<string, Respond>> = {
  initialize: (message, res) => answer(res, message, { protocolVersion: '2025-06-18', capabilities: { tools: {} } }),
  'notifications/initialized': (_message, res) => void res.writeHead(202).end(),
  'tools/list': (message, res) => answer(res, message, { tools: [paid('quote'), { name: 'free' }] }),
  'tools/call': (message, res) => answer(res, message, { isError: true, structuredContent: OFFER, content: [] }),
}

/** An MCP server that records its requests. */
async function mcpServer(respond: Readonly<Record<string, Respond>> = {}) {
  const reached: Reached[] = []
  const { origin, connections } = await serve(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const message: Message | undefined = text.includes('"method"') ? JSON.parse(text) : undefined
    const handler = message && { ...stock, ...respond }[message.method]
    if (message || req.method === 'DELETE') reached.push({ verb: req.method, headers: req.headers, message })
    if (message && handler) handler(message, res)
    else if (req.method === 'DELETE') res.writeHead(204).end()
    else refuse(res, { method: '' }, -32_000, 'Method not allowed.', req.method === 'GET' ? 405 : 400)
  })
  const methods = () => reached.map(({ message, verb }) => message?.method ?? verb)
  return { url: `${origin}/mcp`, reached, methods, connections }
}

/** The tools found by a probe, by name, with the offer of each. */
async function sold(url: string): Promise<object> {
  const { result } = await probe(url)
  return result?.kind === 'mcp' ? Object.fromEntries(result.tools.map(({ name, accepts }) => [name, accepts])) : {}
}

const ASKED = [{ ...payableEntry(), payable: false, notPayableReason: 'mcp' }]

describe('the offer of a tool is read', () => {
  test('by asking no more than necessary, and calling only tools that say that they are sold', async () => {
    const inputSchema = { type: 'object', properties: { symbol: { const: 'ETH' } }, required: ['symbol'] }
    const server = await mcpServer({
      'tools/list': (message, res) =>
        answer(res, message, { tools: [{ name: 'free' }, paid('quote', { inputSchema }), { name: 'wipe' }] }),
    })
    expect(await probe(server.url)).toMatchObject({
      state: 'blocked_before_gate',
      finding: 'mcp_tools_sold',
      message: expect.stringMatching(/MCP/),
      result: { kind: 'mcp', endpoint: server.url, tools: [{ name: 'quote', x402Version: 2, accepts: ASKED }] },
    })
    expect(server.methods()).toEqual(['initialize', 'notifications/initialized', 'tools/list', 'tools/call'])
    expect(server.reached.at(-1)?.message?.params).toEqual({ name: 'quote', arguments: { symbol: 'ETH' } })
  })

  test.each<[string, Respond]>([
    [
      'as Cloudflare’s agents give it',
      (message, res) =>
        answer(res, message, {
          isError: true,
          _meta: { 'x402/error': OFFER },
          content: [{ type: 'text', text: 'pay' }],
        }),
    ],
    [
      'as the data of an error',
      ({ id }, res) =>
        void res
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: 402, message: 'pay', data: OFFER } })),
    ],
    [
      'by a 402 of the transport',
      (_message, res) => void res.writeHead(402, { 'payment-required': encodeHeader(OFFER) }).end('{}'),
    ],
    [
      'in an event stream that stays open after it',
      ({ id }, res) => {
        const result = { isError: true, structuredContent: OFFER }
        res.writeHead(200, { 'content-type': 'text/event-stream' }).write(': a comment\n\n')
        res.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`)
      },
    ],
  ])('%s', async (_, call) => {
    const server = await mcpServer({ 'tools/call': call })
    expect(await sold(server.url)).toEqual({ quote: ASKED })
  })

  test('over as few connections when each answer is an event stream that ends soon after it', async () => {
    const streamed = (result: object, { id }: Message, res: ServerResponse) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      res.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`)
      setTimeout(() => res.end(), 5)
    }
    const [plain, streams] = [
      await mcpServer(),
      await mcpServer({
        initialize: (message, res) => streamed({ protocolVersion: '2025-06-18', capabilities: {} }, message, res),
        'tools/list': (message, res) => streamed({ tools: [paid('quote')] }, message, res),
        'tools/call': (message, res) => streamed({ isError: true, structuredContent: OFFER }, message, res),
      }),
    ]
    expect([await sold(plain.url), await sold(streams.url)]).toEqual([{ quote: ASKED }, { quote: ASKED }])
    // On a busy machine, the end of one stream may come too late.
    expect(streams.connections()).toBeLessThanOrEqual(plain.connections() + 1)
  })

  test('on every page of the list, up to four', async () => {
    const server = await mcpServer({
      'tools/list': (message, res) => {
        const page = Number(message.params?.cursor ?? 1)
        answer(res, message, { tools: [paid(`quote-${page}`)], nextCursor: String(page + 1) })
      },
    })
    expect(Object.keys(await sold(server.url))).toEqual(['quote-1', 'quote-2', 'quote-3', 'quote-4'])
  })

  test('of at most eight tools', async () => {
    const tools = Array.from({ length: 1_000 }, (_, at) => paid(`quote-${at}`))
    const server = await mcpServer({ 'tools/list': (message, res) => answer(res, message, { tools }) })
    expect(Object.keys(await sold(server.url))).toHaveLength(8)
    expect(server.methods().filter((method) => method === 'tools/call')).toHaveLength(8)
  })

  test('of one tool, even if others break or ask for nothing', async () => {
    const server = await mcpServer({
      'tools/list': (message, res) => answer(res, message, { tools: ['a', 'b', 'c', 'd'].map((name) => paid(name)) }),
      'tools/call': (message, res) => {
        const { name } = message.params ?? {}
        if (name === 'a') refuse(res, message, -32_602, 'no')
        else if (name === 'b') answer(res, message, { structuredContent: OFFER })
        else if (name === 'c') res.writeHead(500).end()
        else stock['tools/call']?.(message, res)
      },
    })
    expect(await sold(server.url)).toEqual({ d: ASKED })
  })
})

describe('a session', () => {
  test('is named in every request after its beginning, and is ended', async () => {
    const server = await mcpServer({
      initialize: (message, res) =>
        answer(res, message, { protocolVersion: '2025-06-18' }, { 'mcp-session-id': 'a-session' }),
    })
    expect(await sold(server.url)).toEqual({ quote: ASKED })
    const [first, ...others] = server.reached
    expect(first?.headers).not.toHaveProperty('mcp-session-id')
    for (const { headers } of others)
      expect(headers).toMatchObject({ 'mcp-session-id': 'a-session', 'mcp-protocol-version': '2025-06-18' })
    expect(server.methods().at(-1)).toBe('DELETE')
  })

  test.each(['a b', 'é', 'x'.repeat(1_025)])('is not named if its name is invalid: %s', async (id) => {
    const server = await mcpServer({
      initialize: (message, res) =>
        answer(
          res,
          message,
          { protocolVersion: '2025-06-18' },
          { 'mcp-session-id': Buffer.from(id).toString('latin1') },
        ),
    })
    expect(await sold(server.url)).toEqual({ quote: ASKED })
    expect(server.reached.some(({ headers }) => 'mcp-session-id' in headers)).toBe(false)
    expect(server.methods()).not.toContain('DELETE')
  })

  test('is not needed by a server without a handshake: requests carry their revision and their name', async () => {
    const server = await mcpServer({
      initialize: (message, res) => refuse(res, message, -32_601, 'Method not found', 404),
      'tools/list': (message, res) => answer(res, message, { tools: [paid('Börse')] }),
    })
    expect(await sold(server.url)).toEqual({ Börse: ASKED })
    expect(server.methods()).toEqual(['initialize', 'tools/list', 'tools/call'])
    expect(server.reached.at(-1)).toMatchObject({
      headers: {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': `=?base64?${Buffer.from('Börse').toString('base64')}?=`,
      },
      message: { params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } } },
    })
  })

  test('of a caller that gives up is left as it is: nothing more is sent', async () => {
    let sessions = 0
    const server = await mcpServer({
      initialize: (message, res) => {
        sessions += 1
        answer(res, message, { protocolVersion: '2025-06-18' }, { 'mcp-session-id': `session-${sessions}` })
      },
      'tools/call': () => {},
    })
    await prober.services.call(operations.probe, { url: server.url }, { timeoutMs: 1_000 }).catch(() => {})
    // The next probe gets the origin once the first has left it.
    await probe(server.url)
    const ended = server.reached.filter(({ verb }) => verb === 'DELETE')
    expect(ended.map(({ headers }) => headers['mcp-session-id'])).toEqual(['session-2'])
  })
})

describe('a server whose tools cannot be read stays what it is', () => {
  test('if none says that it is sold', async () => {
    const server = await mcpServer({ 'tools/list': (message, res) => answer(res, message, { tools: [{ name: 'a' }] }) })
    expect(await probe(server.url)).toMatchObject({ finding: 'mcp_server', result: { kind: 'plain' } })
    expect(server.methods()).not.toContain('tools/call')
  })

  test.each([401, 403, 429, 500])('if it answers %i to the handshake: nothing more is asked', async (status) => {
    const server = await mcpServer({ initialize: (_message, res) => void res.writeHead(status).end() })
    expect(await probe(server.url)).toMatchObject({ finding: 'mcp_server', result: { kind: 'plain' } })
    expect(server.methods()).toEqual(['initialize'])
  })

  test('if it is another JSON-RPC server', async () => {
    const { origin } = await serve((_req, res) =>
      refuse(res, { method: '', id: 1 }, -32_601, 'the method does not exist', 200),
    )
    expect(await probe(origin)).toMatchObject({ finding: 'json_rpc_server', result: { kind: 'plain' } })
  })
})

describe('a hostile server delays no one', () => {
  test('that never ends its answers: what was read before is reported', async () => {
    let calls = 0
    const server = await mcpServer({
      'tools/list': (message, res) => answer(res, message, { tools: [paid('quick'), paid('slow'), paid('never')] }),
      'tools/call': (message, res) => {
        calls += 1
        if (calls === 1) stock['tools/call']?.(message, res)
        else res.writeHead(200, { 'content-type': 'text/event-stream' }).write(': wait\n\n')
      },
    })
    expect(await probe(server.url)).toMatchObject({ result: { tools: [{ name: 'quick' }] } })
    expect(calls).toBe(2)
  })

  test('that is slow with each tool: those that fit in the time of one request are reported', async () => {
    const tools = Array.from({ length: 8 }, (_, at) => paid(`quote-${at}`))
    const server = await mcpServer({
      'tools/list': (message, res) => answer(res, message, { tools }),
      'tools/call': (message, res) => void setTimeout(() => stock['tools/call']?.(message, res), TIMEOUT_MS / 3),
    })
    const told = Object.keys(await sold(server.url))
    expect(told[0]).toBe('quote-0')
    expect(told.length).toBeLessThan(4)
  })

  test('that floods', async () => {
    const flood = 'x'.repeat(300 * 1024)
    const server = await mcpServer({ 'tools/list': (message, res) => answer(res, message, { tools: [paid(flood)] }) })
    expect(await probe(server.url)).toMatchObject({ finding: 'mcp_server' })
  })

  test('that asks for a pause: it is not called again', async () => {
    const tools = [paid('a'), paid('b')]
    const server = await mcpServer({
      'tools/list': (message, res) => answer(res, message, { tools }),
      'tools/call': (_message, res) => void res.writeHead(429).end(),
    })
    expect(await probe(server.url)).toMatchObject({ finding: 'mcp_server' })
    expect(server.methods().filter((method) => method === 'tools/call')).toHaveLength(1)
  })

  test('whose answers belong to other requests', async () => {
    const server = await mcpServer({
      'tools/call': (message, res) => stock['tools/call']?.({ ...message, id: 1 }, res),
    })
    expect(await probe(server.url)).toMatchObject({ finding: 'mcp_server' })
  })

  test('that redirects elsewhere', async () => {
    const server = await mcpServer({
      initialize: (_message, res) => void res.writeHead(307, { location: 'http://169.254.169.254/' }).end(),
    })
    expect(await probe(server.url)).toMatchObject({ finding: 'mcp_server' })
  })
})
