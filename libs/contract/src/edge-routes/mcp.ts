import { z } from 'zod'
import { edge } from '../refusals.ts'
import type { EdgeRoute } from './edge-route.ts'

const Message = z
  .looseObject({ jsonrpc: z.literal('2.0'), method: z.string() })
  .describe('One JSON-RPC message. Lists of messages are not taken.')
const Answer = z.looseObject({ jsonrpc: z.literal('2.0') }).describe('The result or the error, as JSON-RPC.')

export const McpHealth = z.object({
  status: z.literal('ok'),
  /** The version of this build. */
  revision: z.string(),
  /** The versions of MCP that are spoken, newest first. */
  protocolVersions: z.array(z.string()),
  /** How many tools there are; which of them a credential may use depends on its scopes. */
  tools: z.number().int(),
})
export type McpHealth = z.output<typeof McpHealth>

/** The endpoint of the hosted MCP server, of which each tool is an operation. */
export const mcpEndpoint = {
  id: 'gateway.mcp',
  method: 'POST',
  path: '/mcp',
  mediaType: 'application/json',
  scope: 'mcp:call',
  limited: true,
  summary: 'The hosted MCP server (Streamable HTTP, without sessions)',
  body: Message,
  json: {
    schema: Answer,
    example: { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: '{"items":[]}' }] } },
  },
  statuses: { 202: 'A notification was taken.' },
  refusals: [
    ...[edge.invalidRequest, edge.unauthorized, edge.insufficientScope, edge.notAcceptable, edge.payloadTooLarge],
    ...[edge.unsupportedMediaType, edge.rateLimited, edge.internal, edge.unavailable, edge.deadline],
  ],
} as const satisfies EdgeRoute

/** All of its routes. */
export const mcp: readonly EdgeRoute[] = [
  mcpEndpoint,
  {
    id: 'gateway.mcpHealth',
    method: 'GET',
    path: '/mcp/health',
    mediaType: 'application/json',
    summary: 'Whether the hosted MCP server runs here, and its versions',
    json: {
      schema: McpHealth,
      example: { status: 'ok', revision: '0.1.0', protocolVersions: ['2026-07-28', '2025-11-25'], tools: 19 },
    },
  },
]
