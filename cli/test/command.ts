import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { inject } from 'vitest'
import { environment } from '../../services/all/test/instance.ts'

export const MAIN = join(inject('programs'), 'callboard.mjs')

export interface Run {
  readonly code: number | null
  readonly out: string
  readonly bytes: Buffer
  readonly err: string
}

/** Runs the command as a process of its own. `onError` receives its stderr while it runs. */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  onError: (chunk: string) => void = () => {},
): Promise<Run> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...environment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let err = ''
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString()
    onError(err)
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const bytes = await buffer(child.stdout)
  return { code: await ended, out: bytes.toString(), bytes, err }
}
