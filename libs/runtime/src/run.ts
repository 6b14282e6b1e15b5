import type { Running } from './start.ts'

/**
 * Ends a running process well: on SIGTERM or Ctrl-C, when a part fails for good, or when the parent that npm put
 * between the terminal and us is gone (npm does not pass SIGTERM on).
 * @param afterwards what is to stop once the services have
 * @returns the exit code, when everything has stopped
 */
export async function untilStopped(running: Running, afterwards: () => Promise<void>): Promise<number> {
  const { promise: asked, resolve } = Promise.withResolvers<string>()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve(signal))
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid !== parent) resolve('the parent process is gone')
  }, 1_000)
  let code = 0
  const why = await Promise.race([asked, running.failed]).catch((error: unknown) => {
    code = 1
    running.log.fatal({ err: error }, 'a part failed for good')
    return 'a part failed'
  })
  clearInterval(watch)
  running.log.info({ why }, 'stopping')
  await running.stop()
  await afterwards()
  return code
}
