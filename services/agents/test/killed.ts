import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Moment } from '../src/links/moments.ts'

/** What a process of its own is to do, and the moment at which it dies of it. */
export interface Killed {
  readonly what: 'decideLink' | 'unlink'
  readonly input: unknown
  readonly caller: unknown
  readonly moment: Moment
  readonly env: NodeJS.ProcessEnv
}

/** Starts the services in their own process, has them begin, and returns once that process has killed itself. */
export async function killedAt({ env, moment, ...message }: Killed): Promise<void> {
  const child = fork(new URL('child.ts', import.meta.url), {
    env: { ...process.env, ...env, STOP_AT: moment },
    execArgv: ['--import', new URL('stop-at.ts', import.meta.url).href],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [word] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  if (word !== 'ready') throw new Error('the services did not start in their own process')
  const ended = once(child, 'exit')
  const answered = once(child, 'message').then(([answer]) => {
    child.kill('SIGKILL')
    throw new Error(`it was not killed at ${moment}, but answered ${JSON.stringify(answer)}`)
  })
  child.send(message as Pick<Killed, 'what'>)
  await Promise.race([ended, answered])
}
