import { type McpHealth, mcpEndpoint, operation, tools } from '@callboard/contract'
import { SECOND_MS } from '@callboard/values'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import build from '../../package.json' with { type: 'json' }
import type { GatewayContext, Route } from '../context.ts'
import { hooksOf } from '../hooks/hooks.ts'

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

/** The versions that the SDK speaks: the first has no handshake. */
const PROTOCOL_VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07']

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
    // The SDK takes a tenth of a second to load, which a gateway that is sent no message need not spend.
    handler: async (request, reply) => (await import('./answer.ts')).answerMcp({ request, reply, ctx }),
  })
  const health: McpHealth = {
    status: 'ok',
    revision: build.version,
    protocolVersions: PROTOCOL_VERSIONS,
    tools: tools.length,
  }
  app.get(`${ENDPOINT.http.path}/health`, (_request, reply) => reply.header('cache-control', 'no-store').send(health))
}
