import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Moment } from '../src/settlement/moments.ts'

/** Where a process kills itself. */
export interface StopAt {
  readonly name: Moment['name']
  /** At least so many payments stand there together. */
  readonly payments: number
}

/** Starts the service in its own process. */
export async function startChild(env: NodeJS.ProcessEnv, stopAt?: StopAt): Promise<ChildProcess> {
  const stop = stopAt ? { STOP_AT: stopAt.name, STOP_AT_PAYMENTS: String(stopAt.payments) } : {}
  const child = fork(new URL('child.ts', import.meta.url), {
    env: { ...process.env, ...env, ...stop },
    execArgv: stopAt ? ['--import', new URL('stop-at.ts', import.meta.url).href] : [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [word] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  if (word !== 'ready') throw new Error('the service did not start in its own process')
  return child
}

/** Kills a process from outside, wherever it stands. */
export async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}
