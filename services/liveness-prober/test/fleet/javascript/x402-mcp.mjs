// A paid MCP server on x402-mcp: it asks for payment within the protocol's own answers.
import { createPaidMcpHandler } from 'x402-mcp/server'
import { z } from 'zod'

export default async ({ facilitator, payTo, listenFetch }) => {
  const handler = createPaidMcpHandler(
    (server) =>
      server.paidTool('tides', 'The tides of a port', { price: 0.01 }, { port: z.string() }, {}, async () => ({
        content: [{ type: 'text', text: '04:12' }],
      })),
    { serverInfo: { name: 'tides', version: '1.0.0' } },
    { recipient: payTo, network: 'base', facilitator: { url: facilitator }, basePath: '' },
  )
  return listenFetch(handler)
}
