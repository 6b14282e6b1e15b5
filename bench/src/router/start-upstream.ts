import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Said } from './upstream-words.ts'

export interface Upstream {
  readonly port: number
  readonly pid: number
  /** Ends in `/v1`. */
  readonly url: string
  /** Calls `heard` with each message of the upstream. @returns a function that stops listening */
  listen(heard: (said: Said) => void): () => void
  stop(): void
}

export async function startUpstream(): Promise<Upstream> {
  const child = fork(new URL('./upstream.ts', import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const [said] = (await once(child, 'message')) as [Said]
  if (said.kind !== 'ready') throw new Error('The upstream did not say where it listens')
  return {
    port: said.port,
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${said.port}/v1`,
    listen(heard) {
      child.on('message', heard)
      return () => void child.off('message', heard)
    },
    stop: () => void child.kill(),
  }
}
