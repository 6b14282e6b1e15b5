import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { LocalServer } from './local-tool.ts'

/**
 * Serves tools on stdin and stdout, until the client closes one of them, or sends a message without an end. This file is
 * one of its own in the package, with the SDK, which other commands need not load; so it imports nothing of ours.
 */
export async function serve(local: LocalServer): Promise<void> {
  const transport = new StdioServerTransport()
  serveStdio(() => serverOf(local), { transport, maxSubscriptions: 0, onerror: local.report })
  // Streams do not tell: a stdin that is a file ends without being closed, and the SDK stops reading by itself.
  const { onclose } = transport
  await new Promise<void>((resolve) => {
    transport.onclose = () => {
      onclose?.()
      resolve()
    }
  })
}

function serverOf({ name, version, instructions, tools, failed }: LocalServer): Server {
  const server = new Server({ name, title: 'Callboard', version }, { capabilities: { tools: {} }, instructions })
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(({ listed }) => listed) }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = tools.find(({ listed }) => listed.name === params.name)
    if (tool) return tool.run(params.arguments ?? {}, mcpReq.signal).catch(failed)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name.slice(0, 64)}.`)
  })
  return server
}
