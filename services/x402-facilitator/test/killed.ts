import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { SettlementFailpoint } from '../src/settlement/failpoints.ts'

/** The failpoint at which a process kills itself. */
export interface KillAt {
  readonly name: SettlementFailpoint
  /** The least number of payments that reach it together. */
  readonly payments: number
}

/** Starts the service in its own process. */
export async function startChild(env: NodeJS.ProcessEnv, killAt?: KillAt): Promise<ChildProcess> {
  const stop = killAt ? { FAILPOINT: `x402-facilitator:${killAt.name}`, FAILPOINT_ITEMS: String(killAt.payments) } : {}
  const child = fork(join(inject('programs'), 'facilitator-child.mjs'), {
    env: { ...process.env, ...env, ...stop },
    execArgv: killAt ? ['--import', import.meta.resolve('@callboard/testkit/kill-at-failpoint')] : [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [word] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  if (word !== 'ready') throw new Error('the service did not start in its own process')
  return child
}

/** Kills a process from outside, at any point. */
export async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}
