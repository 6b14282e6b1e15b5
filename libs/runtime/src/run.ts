import { constants } from 'node:os'
import { atWholeSecond } from './jobs/whole-second.ts'
import type { Running } from './start.ts'

const WATCH_MS = 1_000
const ENDING = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/**
 * Ends the process at once on a signal, as long as nothing is to be shut down in order: the first process of a container
 * ignores every signal that it does not handle, and would be killed at the end of its grace time only.
 * @returns a function after which signals are for others
 */
export function endingAtOnce(): () => void {
  const end = (signal: NodeJS.Signals) => process.exit(128 + constants.signals[signal])
  for (const signal of ENDING) process.once(signal, end)
  return () => {
    for (const signal of ENDING) process.off(signal, end)
  }
}

/**
 * Shuts a running process down in order: on SIGTERM or Ctrl-C, when a part fails for good, or when the parent that npm
 * put between the terminal and us is gone (npm does not pass SIGTERM on).
 * @param afterwards what to stop after the services
 * @returns the exit code, when everything has stopped
 */
export async function untilStopped(running: Running, afterwards: () => Promise<void>): Promise<number> {
  const { promise: asked, resolve } = Promise.withResolvers<string>()
  for (const signal of ENDING) process.once(signal, () => resolve(signal))
  const endWatch = watchParent(() => resolve('the parent process is gone'))
  let code = 0
  const why = await Promise.race([asked, running.failed]).catch((error: unknown) => {
    code = 1
    running.log.fatal({ err: error }, 'a part failed for good')
    return 'a part failed'
  })
  endWatch()
  running.log.info({ why }, 'stopping')
  await running.stop()
  await afterwards()
  return code
}

/** Checks each second whether the parent is still the same. @returns a function that stops it */
function watchParent(onGone: () => void): () => void {
  const parent = process.ppid
  const look = () => {
    if (process.ppid !== parent) onGone()
    end = atWholeSecond(WATCH_MS, look)
  }
  let end = atWholeSecond(WATCH_MS, look)
  return () => end()
}
