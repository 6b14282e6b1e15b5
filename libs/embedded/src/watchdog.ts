import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'

/** In the environment of a process: the run that it belongs to. */
export const RUN = 'CALLBOARD_RUN'

export interface Watchdog {
  /** Has a folder removed as well once this process is gone. */
  remove(folder: string): void
}

/**
 * From now on what this process starts ends with it, also when it is killed and can end nothing itself: its children, and
 * what they start, whatever process group or user they run in. A process of its own waits for that.
 */
export function endWithThisProcess(): Watchdog {
  const run = randomUUID()
  const { PATH } = process.env
  const watchdog = spawn(process.execPath, [fileURLToPath(new URL('./watchdog-process.ts', import.meta.url)), run], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A Ctrl-C of the terminal is for us, and a mark of another run is not for the watchdog.
    detached: true,
    env: { ...(PATH === undefined ? {} : { PATH }) },
  })
  watchdog.stdin.on('error', () => {})
  watchdog.unref()
  if ('unref' in watchdog.stdin && typeof watchdog.stdin.unref === 'function') watchdog.stdin.unref()
  process.env[RUN] = run
  return { remove: (folder) => void watchdog.stdin.write(`${folder}\n`) }
}
