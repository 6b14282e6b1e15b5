import type { ProbeResult, SoldTool } from '@callboard/contract'
import { cleanObject, cleanText } from '../domain/foreign-json.ts'
import { operationOf } from '../domain/probe-result.ts'
import { extrasInSum, shownAccepts, shownUnread } from '../domain/shown-offer.ts'
import type { ToolOffer } from './ask-server.ts'

const MAX_NAME = 128
const MAX_DESCRIPTION = 500
const MAX_SCHEMA_CHARACTERS = 2 * 1024
/** Per tool, so that all of them together say no more than one offer over HTTP may. */
const MAX_ENTRIES = 8

/** What an MCP server sells, in the contract's terms. Everything from a third party is bounded and storable. */
export function mcpResult(endpoint: URL, offers: readonly ToolOffer[]): ProbeResult {
  const extraOf = extrasInSum()
  return {
    kind: 'mcp',
    endpoint: endpoint.href,
    operations: [operationOf(endpoint, 'POST', {})],
    tools: offers.map(({ tool, offer }): SoldTool => {
      const inputSchema = cleanObject(tool.inputSchema, MAX_SCHEMA_CHARACTERS)
      return {
        name: cleanText(tool.name, MAX_NAME),
        ...(tool.description ? { description: cleanText(tool.description, MAX_DESCRIPTION) } : {}),
        ...(inputSchema ? { inputSchema } : {}),
        x402Version: offer.x402Version,
        accepts: shownAccepts({ ...offer, accepts: offer.accepts.slice(0, MAX_ENTRIES) }, extraOf),
        unread: offer.unread.slice(0, MAX_ENTRIES).map(shownUnread),
      }
    }),
  }
}
