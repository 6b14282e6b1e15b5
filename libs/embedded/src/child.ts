import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { ChildLines, type LinesPlan } from './child-lines.ts'
import type { PidFile } from './pid-file.ts'

/** The user to run as; empty for the current one. */
export interface RunAs {
  readonly uid?: number
  readonly gid?: number
}

export interface ChildPlan extends RunAs, LinesPlan {
  /** The name of what runs, for messages: "Postgres". */
  readonly what: string
  readonly command: string
  readonly args: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  readonly readyWithinMs: number
  readonly stopSignal: NodeJS.Signals
  /** SIGKILL follows the stop signal after this long. */
  readonly stopWithinMs: number
  /** Written at its start and released at its end, for any reason. */
  readonly pidFile?: PidFile
}

export interface ChildExit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** The last lines it printed. */
  readonly lastLines: readonly string[]
}

export interface Child {
  readonly pid: number
  /** Settles once the child has ended, for any reason; never rejects. */
  readonly exited: Promise<ChildExit>
  /** Sends a signal; does nothing once the child has ended. */
  signal(signal: NodeJS.Signals): void
  /** Ends the child and waits until it is gone; does nothing if it has already ended. */
  stop(): Promise<void>
}

/**
 * Starts a child and waits until it is ready. It leads its own process group, so a Ctrl-C in the terminal reaches only
 * us and we stop our children in order; if our process ends without that, they get their stop signal. Throws one
 * sentence with the child's last lines when it cannot start, ends early or misses the deadline.
 */
export async function startChild(plan: ChildPlan): Promise<Child> {
  try {
    return await started(plan)
  } catch (error) {
    plan.pidFile?.release()
    throw error
  }
}

async function started(plan: ChildPlan): Promise<Child> {
  const { uid, gid, cwd, env = process.env } = plan
  const spawned = spawn(plan.command, plan.args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env,
    ...(cwd === undefined ? {} : { cwd }),
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
  })
  const lines = new ChildLines(plan)
  for (const stream of [spawned.stdout, spawned.stderr]) {
    createInterface({ input: stream }).on('line', (line) => lines.add(line))
  }
  const { pid } = spawned
  if (pid === undefined) throw await notSpawned(spawned, plan)
  plan.pidFile?.childStarted(pid)

  const exited = new Promise<ChildExit>((resolve) => {
    // 'close' follows 'exit' once the child's own children have closed its output as well.
    spawned.once('close', (code, signal) => {
      plan.pidFile?.release()
      resolve({ code, signal, lastLines: lines.last() })
    })
  })
  endWithUs(spawned, plan.stopSignal)
  const stop = () => stopChild(spawned, exited, plan)
  const signal = (name: NodeJS.Signals) => void spawned.kill(name)

  const over = new AbortController()
  const outcome = await Promise.race([
    readiness(plan, lines, over.signal),
    exited,
    delay(plan.readyWithinMs, 'late' as const, { signal: over.signal }).catch(() => 'late' as const),
  ])
  over.abort()
  if (outcome === 'ready') return { pid, exited, signal, stop }
  if (outcome === 'late') {
    await stop()
    throw new Error(`${plan.what} was not ready after ${plan.readyWithinMs} ms${lines.quoted()}`)
  }
  const how = outcome.signal ?? `code ${outcome.code}`
  throw new Error(`${plan.what} ended with ${how} before it was ready${lines.quoted()}`)
}

async function readiness(plan: ChildPlan, lines: ChildLines, over: AbortSignal): Promise<'ready'> {
  if (plan.ready instanceof RegExp) {
    await lines.matched
    return 'ready'
  }
  while (!over.aborted && !(await plan.ready().catch(() => false))) await delay(20)
  return 'ready'
}

async function stopChild(child: ChildProcess, exited: Promise<ChildExit>, plan: ChildPlan): Promise<void> {
  const gone = child.exitCode !== null || child.signalCode !== null
  if (!gone) child.kill(plan.stopSignal)
  const kill = setTimeout(() => child.kill('SIGKILL'), plan.stopWithinMs)
  await exited
  clearTimeout(kill)
}

function notSpawned(child: ChildProcess, plan: ChildPlan): Promise<Error> {
  return new Promise((resolve) => {
    child.once('error', (cause) => resolve(new Error(`${plan.what} cannot be run from ${plan.command}.`, { cause })))
  })
}

const living = new Map<ChildProcess, NodeJS.Signals>()

function endWithUs(child: ChildProcess, signal: NodeJS.Signals): void {
  if (living.size === 0) process.on('exit', endLiving)
  living.set(child, signal)
  child.once('exit', () => {
    living.delete(child)
    if (living.size === 0) process.off('exit', endLiving)
  })
}

function endLiving(): void {
  for (const [child, signal] of living) child.kill(signal)
}
