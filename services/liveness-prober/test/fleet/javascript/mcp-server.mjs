// A seller of tides as a tool, on the reference MCP server, which speaks only the revision without handshakes.
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { HTTPFacilitatorClient, x402ResourceServer } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'

const PORT = { type: 'object', properties: { port: { type: 'string' } }, required: ['port'] }
const TIDES = {
  description: 'The tides of a port',
  inputSchema: fromJsonSchema(PORT),
  annotations: { paymentHint: true },
}

export default async ({ facilitator, network, price, payTo, listenFetch }) => {
  const payments = new x402ResourceServer(new HTTPFacilitatorClient({ url: facilitator }))
  payments.register(network, new ExactEvmScheme())
  await payments.initialize()
  const accepts = await payments.buildPaymentRequirements({ scheme: 'exact', network, payTo, price })
  const asked = await payments.createPaymentRequiredResponse(accepts, { url: 'mcp://tool/tides' }, 'Payment required')
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: 'tides', version: '1.0.0' })
      server.registerTool('tides', TIDES, async () => ({
        isError: true,
        structuredContent: asked,
        content: [{ type: 'text', text: JSON.stringify(asked) }],
      }))
      return server
    },
    { legacy: 'reject' },
  )
  return listenFetch(handler.fetch)
}
