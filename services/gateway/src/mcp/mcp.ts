import { type McpHealth, mcpEndpoint, operation, tools } from '@callboard/contract'
import { SECOND_MS } from '@callboard/values'
import { createMcpHandler, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import build from '../../package.json' with { type: 'json' }
import { Refused } from '../answers/errors.ts'
import type { GatewayContext, Route } from '../context.ts'
import { hooksOf } from '../hooks/hooks.ts'
import { serverFor } from './server.ts'
import type { Exchange } from './tool-call.ts'

/** The endpoint as the hooks know routes. It is no operation: each of its tools is one. */
const ENDPOINT: Route = operation({
  id: mcpEndpoint.id,
  summary: mcpEndpoint.summary,
  timeoutMs: 60 * SECOND_MS,
  http: {
    method: mcpEndpoint.method,
    path: mcpEndpoint.path,
    auth: 'bearer',
    scope: mcpEndpoint.scope,
    resource: true,
    limit: 'read',
    ok: 200,
  },
  input: z.unknown(),
  output: z.unknown(),
  errors: [],
})

/** The version of MCP without a handshake, beside those with one. */
const WITHOUT_HANDSHAKE = '2026-07-28'

/** Of an answer of the SDK: what is about the connection is fastify's to say. */
const PASSED_ON = ['content-type', 'allow']

/**
 * Serves the hosted MCP server: Streamable HTTP without sessions, for clients with and without a handshake. Any origin
 * may send to it, since no browser adds a credential by itself (docs/adr/0149).
 * @source MCP 2026-07-28, basic/transports
 */
export function addMcp(app: FastifyInstance, ctx: GatewayContext): void {
  const hooks = hooksOf(ENDPOINT)
  app.route({
    method: ['POST', 'GET'],
    url: ENDPOINT.http.path,
    exposeHeadRoute: false,
    config: { route: ENDPOINT },
    onRequest: async (request, reply) => {
      for (const hook of hooks) {
        const step = hook(request, reply, ENDPOINT, ctx)
        if (step) await step
      }
    },
    handler: (request, reply) => answer({ request, reply, ctx }),
  })
  const health: McpHealth = {
    status: 'ok',
    revision: build.version,
    protocolVersions: [WITHOUT_HANDSHAKE, ...SUPPORTED_PROTOCOL_VERSIONS],
    tools: tools.length,
  }
  app.get(`${ENDPOINT.http.path}/health`, (_request, reply) => reply.header('cache-control', 'no-store').send(health))
}

async function answer(exchange: Exchange): Promise<FastifyReply> {
  const { request, reply, ctx } = exchange
  const { body, method, headers } = request
  if (Array.isArray(body))
    throw new Refused({ refusal: 'invalid_request', field: 'body', message: 'body: must be one JSON-RPC message' })
  // Nothing is ever sent unasked, so there is nothing to subscribe to.
  const handler = createMcpHandler(() => serverFor(exchange), {
    maxSubscriptions: 0,
    keepAliveMs: 0,
    onerror: (err) => request.log.debug({ err }, 'an MCP message was refused'),
  })
  const asked = new Request(new URL(ENDPOINT.http.path, ctx.config.BASE_URL), {
    method,
    headers: Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && name !== 'authorization' ? [[name, value] as [string, string]] : [],
    ),
  })
  const answered = await handler.fetch(asked, { parsedBody: body ?? '' })
  reply.code(answered.status).header('cache-control', 'no-store')
  for (const name of PASSED_ON) {
    const value = answered.headers.get(name)
    if (value !== null) reply.header(name, value)
  }
  return reply.send(await answered.text())
}
