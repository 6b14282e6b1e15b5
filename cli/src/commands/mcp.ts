import type { Command } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { knownAssets } from '../known-assets.ts'
import { localServer } from '../mcp/local-server.ts'

/** `callboard mcp`: the directory and the wallet as tools of a model. */
export const mcp: Command = {
  usage: 'mcp [--asset CAIP2/ADDRESS]',
  about: [
    '',
    'Serves the Model Context Protocol on stdin and stdout, for a client that starts it: a model searches the directory,',
    'and pays for calls of listed endpoints from the agent’s wallet, within policy.json, which it cannot change.',
    '',
    '  --asset  another token that is worth a dollar, as for pay',
  ],
  options: { asset: { type: 'string', multiple: true } },
  async run({ settings, values }) {
    const server = localServer(settings, knownAssets(values.asset))
    const { serve } = await import('../mcp/serve.ts')
    await serve(server)
    return EXIT.ok
  },
}
