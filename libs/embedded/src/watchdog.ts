import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'

/** The environment variable that names the run to which a process belongs. */
export const RUN = 'CALLBOARD_RUN'

export interface Watchdog {
  /** Also removes a folder once this process is gone. */
  remove(folder: string): void
}

/**
 * From now on what this process starts ends with it, even if it is killed and cannot end anything itself: its children
 * and their descendants, under any process group or user. A separate process takes care of that.
 */
export function endWithThisProcess(): Watchdog {
  const run = randomUUID()
  const { PATH } = process.env
  const watchdog = spawn(process.execPath, [fileURLToPath(new URL('./watchdog-process.ts', import.meta.url)), run], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A Ctrl-C in the terminal is meant for us, and another run's mark must not reach the watchdog.
    detached: true,
    env: { ...(PATH === undefined ? {} : { PATH }) },
  })
  watchdog.stdin.on('error', () => {})
  watchdog.unref()
  if ('unref' in watchdog.stdin && typeof watchdog.stdin.unref === 'function') watchdog.stdin.unref()
  process.env[RUN] = run
  return { remove: (folder) => void watchdog.stdin.write(`${folder}\n`) }
}
