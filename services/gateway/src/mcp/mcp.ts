import { type McpHealth, mcpEndpoint, operation, tools } from '@callboard/contract'
import { SECOND_MS } from '@callboard/values'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import build from '../../package.json' with { type: 'json' }
import { presentRefusal } from '../answers/present.ts'
import type { GatewayContext, Route } from '../context.ts'
import { stepsOf } from '../hooks/hooks.ts'

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
  const { path } = ENDPOINT.http
  const steps = stepsOf(ENDPOINT)
  const onRequest = (request: FastifyRequest, reply: FastifyReply) => steps(request, reply, ctx)
  // The SDK takes a tenth of a second to load, which a gateway that is sent no message need not spend.
  app.post(path, { config: { route: ENDPOINT }, onRequest }, async (request, reply) =>
    (await import('./answer.ts')).answerMcp({ request, reply, ctx }),
  )
  // It would open a stream, on which nothing is ever sent. A client without a credential is told where to get one.
  const refused = { exposeHeadRoute: false, config: { route: ENDPOINT, refusesAll: true as const }, onRequest }
  app.get(path, refused, (request, reply) =>
    presentRefusal(request, reply.header('allow', 'POST'), { refusal: 'method_not_allowed' }),
  )
  const health: McpHealth = {
    status: 'ok',
    revision: build.version,
    protocolVersions: PROTOCOL_VERSIONS,
    tools: tools.length,
  }
  app.get(`${path}/health`, (_request, reply) => reply.header('cache-control', 'no-store').send(health))
}
