import { join } from 'node:path'
import { freePort, startChild } from '@callboard/embedded'
import { installedPeer } from '../installed-peer.ts'
import type { Gateway } from './gateway.ts'

export const PORTKEY = { '@portkey-ai/gateway': '1.15.2', hono: '4.9.7', '@hono/node-server': '1.13.5' }

/** Portkey’s gateway in one process, on our Node, as its README starts it. It has no keys, limits or money. */
export async function startPortkey(upstreamUrl: string): Promise<Gateway> {
  const home = installedPeer('portkey', ['--ignore-scripts'])
  const port = await freePort()
  const child = await startChild({
    what: 'Portkey',
    command: process.execPath,
    args: [join(home, 'node_modules/@portkey-ai/gateway/build/start-server.js'), '--headless', `--port=${port}`],
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
    ready: async () => (await fetch(`http://127.0.0.1:${port}/`)).ok,
    readyWithinMs: 20_000,
    stopSignal: 'SIGTERM',
    stopWithinMs: 5_000,
  })
  return {
    ...{ name: 'Portkey', port, path: '/v1/chat/completions' },
    headers: [{ authorization: 'Bearer none', 'x-portkey-provider': 'openai', 'x-portkey-custom-host': upstreamUrl }],
    processes: { portkey: [child.pid] },
    stop: () => child.stop(),
  }
}
