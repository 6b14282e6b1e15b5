import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { LocalServer } from './local-tool.ts'

/**
 * Serves tools on stdin and stdout, until the client closes stdin. This file is one of its own in the package, with the
 * SDK, which other commands need not load; so it imports nothing of ours.
 */
export async function serve(local: LocalServer): Promise<void> {
  const ended = new Promise<void>((resolve) => process.stdin.once('close', resolve))
  serveStdio(() => serverOf(local), { maxSubscriptions: 0, onerror: local.report })
  await ended
}

function serverOf({ name, version, instructions, tools, failed }: LocalServer): Server {
  const server = new Server({ name, title: 'Callboard', version }, { capabilities: { tools: {} }, instructions })
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(({ listed }) => listed) }))
  server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = tools.find(({ listed }) => listed.name === params.name)
    if (tool) return tool.run(params.arguments ?? {}).catch(failed)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name.slice(0, 64)}.`)
  })
  return server
}
