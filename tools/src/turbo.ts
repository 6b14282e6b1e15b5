import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './generated-files.ts'

const PROGRAM = join(ROOT, 'node_modules/.bin/turbo')
const system = { darwin: 'darwin', win32: 'windows' }[process.platform as string] ?? process.platform

/** Whether turbo's program for this platform is installed: its packages are optional, and some platforms have none. */
export const hasTurbo = (): boolean =>
  existsSync(join(ROOT, `node_modules/@turbo/${system}-${process.arch === 'x64' ? '64' : process.arch}`))

interface Selection {
  /** The workspaces, in turbo's filter syntax. */
  readonly filters: readonly string[]
  /** Ignores cached results. */
  readonly force?: boolean | undefined
}

/**
 * Runs tasks of turbo.json, as many at once as there are cores and each to its end regardless of the others. Tasks that
 * ran on the same files before are skipped; results are stored only in `.cache/turbo`.
 * @returns the exit code: not 0 when a task failed, each of which is named
 */
export async function runTurbo(tasks: readonly string[], { filters, force = false }: Selection): Promise<number> {
  const shown = ['--output-logs=errors-only', '--ui=stream', '--log-order=grouped']
  const options = [...shown, '--continue=always', '--concurrency=100%', `--cache=local:${force ? 'w' : 'rw'}`]
  const turbo = spawn(PROGRAM, ['run', ...tasks, ...options, ...filters.map((filter) => `--filter=${filter}`)], {
    cwd: ROOT,
    stdio: 'inherit',
    // Libraries are tested with a testkit that depends on them; this is intended, and turbo warns about it every time.
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', TURBO_LOG_VERBOSITY: 'error' },
  })
  const [code] = (await once(turbo, 'close')) as [number | null]
  return code ?? 1
}
