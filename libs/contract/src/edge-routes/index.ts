import { a2a } from './a2a.ts'
import { documents } from './documents.ts'
import type { EdgeRoute } from './edge-route.ts'
import { mcp } from './mcp.ts'
import { pages } from './pages.ts'

export { A2aError, AgentMessage, a2aEndpoint, SendMessageParams } from './a2a.ts'
export type { EdgeRoute } from './edge-route.ts'
export { type McpHealth, mcpEndpoint } from './mcp.ts'

/** Every route that the gateway answers itself. */
export const edgeRoutes: readonly EdgeRoute[] = [...pages, ...documents, ...mcp, ...a2a]
