import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** A request received by the sample provider, and its bill for the whole answer. */
export interface Asked {
  readonly name: string
  readonly status: number
  /** Nano-USD; undefined where it reports no usage. */
  readonly bill: bigint | undefined
}

export interface Upstream {
  /** Ends in `/v1`. */
  readonly url: string
  /** All requests that it received for the walk's calls. */
  asked(): Promise<Asked[]>
  close(): Promise<void>
}

const PROGRAM = join(import.meta.dirname, 'upstream-child.ts')

export async function startUpstream(): Promise<Upstream> {
  // A test's own loaders are useless in it.
  const child = fork(PROGRAM, {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [url] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [unknown]
  if (typeof url !== 'string') throw new Error('The sample provider did not start')
  return {
    url,
    async asked() {
      const answer = once(child, 'message')
      child.send('asked')
      const [all] = (await answer) as [Asked[]]
      return all
    },
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}
