import { spawn } from 'node:child_process'
import type { RunAs } from './child.ts'

export interface Command extends RunAs {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  readonly withinMs?: number
}

export type CommandResult =
  | { readonly kind: 'ended'; readonly code: number | null; readonly output: string }
  /** The system did not run it; `code` is the system's error code, such as EACCES or ENOENT. */
  | { readonly kind: 'not-run'; readonly code: string; readonly cause: unknown }

/** Runs a command to its end and collects both of its outputs. */
export function runCommand({ command, args, env, cwd, uid, gid, withinMs = 60_000 }: Command): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: env ?? process.env,
      timeout: withinMs,
      killSignal: 'SIGKILL',
      ...(cwd === undefined ? {} : { cwd }),
      ...(uid === undefined ? {} : { uid }),
      ...(gid === undefined ? {} : { gid }),
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk
      })
    }
    child.once('error', (cause: NodeJS.ErrnoException) =>
      resolve({ kind: 'not-run', code: cause.code ?? 'unknown', cause }),
    )
    child.once('close', (code) => resolve({ kind: 'ended', code, output: output.trim() }))
  })
}
