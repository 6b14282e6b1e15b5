import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '@callboard/embedded'
import { installedPeer } from '../installed-peer.ts'

export interface Peer {
  readonly url: string
  readonly pid: number
  /** Its ready message. */
  readonly said: string
  stop(): void
}

async function started(file: string): Promise<Peer> {
  const port = await freePort()
  const child: ChildProcess = spawn(process.execPath, [file], {
    env: { ...process.env, PORT: String(port), NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  if (!child.stdout) throw new Error('The peer has no output')
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    said: said.toString().trim(),
    stop: () => void child.kill(),
  }
}

/** An authorization server with a device grant and introspection, entirely in memory. */
export const startOidcProvider = (): Promise<Peer> => started(join(installedPeer('oidc-provider'), 'server.js'))

/** Sign-in as in the libraries’ own examples. */
export const startSiweServer = (): Promise<Peer> => started(join(import.meta.dirname, 'siwe-server.ts'))
