import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { LinkFailpoint } from '../src/links/failpoints.ts'

/** What the process has to do, and the failpoint at which that kills it. */
export interface Killed {
  readonly what: 'decideLink' | 'unlink' | 'distrustDevice' | 'edit'
  readonly input: unknown
  readonly caller: unknown
  readonly failpoint: LinkFailpoint
  readonly env: NodeJS.ProcessEnv
}

/** Starts the services in their own process, sends them the work, and returns once that process has killed itself. */
export async function killedAt({ env, failpoint, ...message }: Killed): Promise<void> {
  const child = fork(join(inject('programs'), 'agents-child.mjs'), {
    env: { ...process.env, ...env, FAILPOINT: `agents:${failpoint}` },
    execArgv: ['--import', import.meta.resolve('@callboard/testkit/kill-at-failpoint')],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [word] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  if (word !== 'ready') throw new Error('the services did not start in their own process')
  const ended = once(child, 'exit')
  const answered = once(child, 'message').then(([answer]) => {
    child.kill('SIGKILL')
    throw new Error(`it was not killed at ${failpoint}, but answered ${JSON.stringify(answer)}`)
  })
  child.send(message as Pick<Killed, 'what'>)
  await Promise.race([ended, answered])
}
